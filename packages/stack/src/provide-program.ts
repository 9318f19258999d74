import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { repositoryDir } from './migrate'

/** A program that comes from Debian or Homebrew, as npm has no package of it. */
export interface WantedProgram {
  readonly debianPackage: string
  readonly homebrewPackage: string
  /** The names of the program: the first one found on the PATH is used. */
  readonly names: readonly string[]
  /** The file in `usr/bin` of the Debian package. */
  readonly binary: RegExp
  /** True: root installs the package on the machine. False: it is unpacked into the clone, even for root. */
  readonly isInstalledByRoot: boolean
  /** What a person has to do if the program is not found. */
  readonly help: string
}

/** A command that runs this long, such as a download, is taken to hang. */
const commandDeadlineMs = 600_000
/** How long an installation waits for another one. */
const lockWaitSeconds = 240
/** Folders of programs that the PATH of an unprivileged user may lack. */
const usualDirs = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin']

type OnProgress = (line: string) => void

/**
 * Returns the path of a program. If the machine lacks it, the package manager provides it: a package of Debian is
 * unpacked in `node_modules/.cache` or installed, one of Homebrew is installed. Throws with what to do if that fails.
 */
export async function provideProgram(
  wanted: WantedProgram,
  onProgress: OnProgress,
): Promise<string> {
  const there = findProgram(wanted)
  if (there !== undefined) return there
  if (isOnPath('apt-get')) {
    const isInstalled = wanted.isInstalledByRoot && process.getuid?.() === 0
    await (isInstalled ? install : unpack)(wanted, onProgress).catch((error: unknown) => {
      onProgress(String(error))
    })
  } else if (isOnPath('brew')) {
    onProgress(`Installing ${wanted.homebrewPackage} with Homebrew …`)
    await run('/', 'brew', ['install', wanted.homebrewPackage])
  }
  const provided = findProgram(wanted)
  if (provided !== undefined) return provided
  throw new Error(wanted.help)
}

const unpackedDirOf = ({ debianPackage }: WantedProgram) =>
  join(repositoryDir, 'node_modules/.cache/malipo', debianPackage)
const unpackedProgramOf = (wanted: WantedProgram) =>
  join(unpackedDirOf(wanted), wanted.debianPackage)

function findProgram(wanted: WantedProgram): string | undefined {
  const dirs = [...pathDirs(), ...usualDirs]
  const onMachine = wanted.names.flatMap((name) => dirs.map((dir) => join(dir, name)))
  return [...onMachine, unpackedProgramOf(wanted)].find(isExecutable)
}

async function install({ debianPackage }: WantedProgram, onProgress: OnProgress): Promise<void> {
  onProgress(`Installing the Debian package ${debianPackage} …`)
  const once = () => aptGet('install', '--yes', '--no-install-recommends', debianPackage)
  // A fresh container has no package lists; a machine that has them need not wait for new ones.
  await once().catch(async () => {
    await aptGet('update')
    await once()
  })
}

/**
 * Changes the machine's packages, one command at a time: the tests install several programs at once, and apt-get does
 * not wait for the lists that another one fetches.
 */
function aptGet(...args: readonly string[]): Promise<string> {
  const turn = ['--wait', String(lockWaitSeconds), '/var/lib/apt/malipo.lock', 'apt-get']
  const wait = `DPkg::Lock::Timeout=${String(lockWaitSeconds)}`
  return run('/', 'flock', [...turn, '-o', wait, ...args])
}

/**
 * Downloads the package and what it lacks on this machine, and runs it from where it was unpacked. It is unpacked
 * beside that place and moved there: of two processes that do so at once, one finds the place taken.
 */
async function unpack(wanted: WantedProgram, onProgress: OnProgress): Promise<void> {
  const finalDir = unpackedDirOf(wanted)
  onProgress(`Unpacking the Debian package ${wanted.debianPackage} into ${finalDir} …`)
  mkdirSync(dirname(finalDir), { recursive: true })
  const dir = mkdtempSync(`${finalDir}-`)
  try {
    await unpackInto(dir, wanted)
    if (findProgram(wanted) === undefined) {
      rmSync(finalDir, { recursive: true, force: true })
      renameSync(dir, finalDir)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function unpackInto(dir: string, wanted: WantedProgram): Promise<void> {
  const lists = join(dir, 'lists')
  for (const folder of [lists, join(dir, 'archives')]) {
    mkdirSync(join(folder, 'partial'), { recursive: true })
  }
  const own = ['-o', `Dir::Cache=${dir}`]
  const ownLists = [...own, '-o', `Dir::State::lists=${lists}`, '-o', 'Debug::NoLocking=1']
  const missing = await missingPackages(wanted, own).catch(() => [])
  const options = missing.length > 0 ? own : ownLists
  if (missing.length === 0) await run(dir, 'apt-get', [...ownLists, 'update'])
  const packages = missing.length > 0 ? missing : await missingPackages(wanted, ownLists)
  await run(dir, 'apt-get', [...options, 'download', ...packages])
  await run(dir, 'sh', ['-c', `for file in ./*.deb; do dpkg -x "$file" root; done`])
  const places = ['usr/lib', 'lib'].flatMap((folder) => librariesIn(join(dir, 'root', folder)))
  const binary = readdirSync(join(dir, 'root/usr/bin')).find((name) => wanted.binary.test(name))
  const finalDir = unpackedDirOf(wanted)
  const libraries = places.map((place) => join(finalDir, relative(dir, place))).join(':')
  const server = join(finalDir, 'root/usr/bin', binary ?? '')
  const file = join(dir, wanted.debianPackage)
  writeFileSync(file, `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${server}' "$@"\n`)
  chmodSync(file, 0o755)
}

/** The folders of libraries for this machine, such as `<dir>/x86_64-linux-gnu`. */
function librariesIn(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.includes('-linux-'))
    .map((name) => join(dir, name))
}

/** The packages that an installation would add, the wanted one included. */
async function missingPackages(
  { debianPackage }: WantedProgram,
  options: readonly string[],
): Promise<string[]> {
  const plan = await run('/', 'apt-get', [
    ...options,
    'install',
    '--simulate',
    '--no-install-recommends',
    debianPackage,
  ])
  return [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

/** Returns what the command printed. Throws when it fails. */
async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandDeadlineMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  })
  let output = ''
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      resolve(code ?? signal)
    })
  })
  if (status === 0) return output
  throw new Error(
    `${command} ${args.join(' ')} failed (${String(status)}):\n${output.slice(-2_000)}`,
  )
}

function isOnPath(command: string): boolean {
  return pathDirs().some((dir) => isExecutable(join(dir, command)))
}

function pathDirs(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { repositoryDir } from './migrate'

/** Where a Redis that was unpacked without installing it lives: beside what other tools of this clone keep. */
const unpackedDir = join(repositoryDir, 'node_modules/.cache/malipo/redis')
const unpackedServer = join(unpackedDir, 'redis-server')
/** A download that has not ended by then will not. */
const commandDeadlineMs = 300_000

const names = ['valkey-server', 'redis-server']
/** Servers are not always on the PATH of people who are not root. */
const usualDirs = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin']

type Say = (line: string) => void

/**
 * The path of a Redis-compatible server. npm has none to give, so this looks at the machine, then at its package manager:
 * Debian's package, installed by root or unpacked into the clone by anybody else, or Homebrew's.
 */
export async function provideRedis(say: Say): Promise<string> {
  const there = findServer()
  if (there !== undefined) return there
  if (isOnPath('apt-get')) {
    await (isRoot() ? installDebianPackage(say) : unpackDebianPackage(say)).catch(
      (error: unknown) => {
        say(String(error))
      },
    )
  } else if (isOnPath('brew')) {
    say('Installing Redis with Homebrew …')
    await run('brew', ['install', 'redis'])
  }
  const provided = findServer()
  if (provided !== undefined) return provided
  throw new Error(
    'Malipo needs Redis 6.2 or later, or Valkey, and found neither. Install one (apt-get install redis-server, ' +
      'dnf install valkey, apk add valkey, brew install redis), or set REDIS_URL to a server of yours.',
  )
}

function findServer(): string | undefined {
  const dirs = [...pathDirs(), ...usualDirs]
  const candidates = [
    ...names.flatMap((name) => dirs.map((dir) => join(dir, name))),
    unpackedServer,
  ]
  return candidates.find(isExecutable)
}

async function installDebianPackage(say: Say): Promise<void> {
  say('Installing the Debian package redis-server …')
  const install = () =>
    run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server'])
  // A fresh container has no package lists; a machine that has them need not wait for new ones.
  await install().catch(async () => {
    await run('apt-get', ['update'])
    await install()
  })
}

/** Downloads the package and what it lacks on this machine, and runs it from where it was unpacked. */
async function unpackDebianPackage(say: Say): Promise<void> {
  say(`Unpacking the Debian package redis-server into ${unpackedDir} …`)
  const lists = join(unpackedDir, 'lists')
  for (const dir of [lists, join(unpackedDir, 'archives')]) {
    mkdirSync(join(dir, 'partial'), { recursive: true })
  }
  const own = ['-o', `Dir::Cache=${unpackedDir}`]
  const ownLists = [...own, '-o', `Dir::State::lists=${lists}`, '-o', 'Debug::NoLocking=1']
  const missing = await missingPackages(own).catch(() => [])
  const options = missing.length > 0 ? own : ownLists
  if (missing.length === 0) await run('apt-get', [...ownLists, 'update'])
  const packages = missing.length > 0 ? missing : await missingPackages(ownLists)
  await run('apt-get', [...options, 'download', ...packages])
  const root = join(unpackedDir, 'root')
  await run('sh', ['-c', `for file in ./*.deb; do dpkg -x "$file" '${root}'; done`])
  const libraries = ['usr/lib', 'lib'].flatMap((dir) => librariesIn(join(root, dir))).join(':')
  const server = join(root, 'usr/bin/redis-server')
  writeFileSync(unpackedServer, `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${server}' "$@"\n`)
  chmodSync(unpackedServer, 0o755)
}

/** `<dir>/x86_64-linux-gnu` and its like. */
function librariesIn(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.includes('-linux-'))
    .map((name) => join(dir, name))
}

/** What an installation would bring, the package itself included. */
async function missingPackages(options: readonly string[]): Promise<string[]> {
  const plan = await run('apt-get', [
    ...options,
    'install',
    '--simulate',
    '--no-install-recommends',
    'redis-server',
  ])
  return [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

/** Runs a command to its end, in the folder of what is unpacked, and returns what it printed. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const cwd = existsSync(unpackedDir) ? unpackedDir : '/'
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

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// What must be there before anything of Malipo runs: packages installed, code generated, everything built. `npm start`
// and `npm test` both begin here, on a machine that has Node and npm and nothing else; hence no imports but Node's own.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { withLockFile } from './with-lock-file.mjs'

const binDir = dirname(fileURLToPath(import.meta.url))
export const repositoryDir = join(binDir, '../../..')

/** What was installed and built the last time. It is beside turbo's own cache, in a folder that git ignores. */
const stampFile = join(repositoryDir, '.turbo/set-up.json')
const lockFile = join(repositoryDir, '.turbo/set-up.lock')

const { packageManager, engines } = JSON.parse(readFileSync(join(repositoryDir, 'package.json')))

/** The end of what a step prints is kept up to this size, and shown if the step fails. */
const keptOutputMax = 64_000
/** How often the seconds of a running step are written to a terminal. */
const progressEveryMs = 1_000

/** Names the clone that a test run has set up, so that its hundred processes need not each check again for 0.1 s. */
const doneVariable = 'MALIPO_SET_UP_DONE'

const onProgress = (line) => process.stderr.write(`${line}\n`)

/**
 * Installs, generates and builds what is missing or out of date, and nothing else. With nothing to do it takes some
 * 100 ms. Safe to call from several processes at once: they take turns, and the second finds the work done.
 *
 * @throws when a step fails; the end of its output has been printed
 */
export async function setUp() {
  refuseOldNode()
  if (process.env[doneVariable] === repositoryDir || isDone()) return
  const onWait = (pid) => onProgress(`Another set-up is running (process ${pid}); waiting for it`)
  await withLockFile(lockFile, { onWait }, async () => {
    if (!isInstalled()) await install()
    if (!isBuilt()) await build()
  })
}

/** Sets up, and tells the child processes of this one by an environment variable not to check again. */
export async function setUpForAll() {
  await setUp()
  process.env[doneVariable] = repositoryDir
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [majorMin, minorMin] = engines.node.replace('>=', '').split('.').map(Number)
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  throw new Error(`Malipo needs Node ${engines.node}; this is ${process.version}`)
}

function isDone() {
  return isInstalled() && isBuilt()
}

async function install() {
  const installed = fingerprintOfManifests()
  await step('Installing packages', [
    'install',
    '--frozen-lockfile',
    // Without a terminal pnpm could not ask whether it may replace a half-made node_modules.
    '--config.confirmModulesPurge=false',
  ])
  writeStamp({ installed, installedAt: installedAt() })
}

/** Generates code from `proto/` and the Prisma schemas. @throws with the end of the output printed */
export async function generate() {
  await step('Generating', turbo('generate'))
}

/** Calls turbo through `pnpm exec`, which puts pnpm on the PATH: turbo asks pnpm for the packages. */
function turbo(...tasks) {
  return ['exec', 'turbo', 'run', ...tasks, '--ui=stream', '--output-logs=new-only']
}

async function build() {
  const sources = fingerprintOfSources()
  await step('Generating and building', turbo('generate', 'build'))
  writeStamp({ ...readStamp(), sources, outputs: fingerprintOfOutputs() })
}

/** Runs the pinned pnpm, which npx finds on this machine or fetches. */
async function step(title, args) {
  const startedAt = performance.now()
  const endProgress = showProgress(title, startedAt)
  // The prefix is a folder without packages: from the root of the repository npx reads all of node_modules, for 2 s.
  const npx = ['--prefix', binDir, '--yes', '--prefer-offline', packageManager]
  const child = spawn('npx', [...npx, ...args], {
    cwd: repositoryDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      DO_NOT_TRACK: '1',
    },
  })
  const passOn = (signal) => child.kill(signal)
  process.once('SIGTERM', passOn).once('SIGINT', passOn)
  let output = ''
  const keep = (chunk) => (output = (output + chunk).slice(-keptOutputMax))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  endProgress()
  process.off('SIGTERM', passOn).off('SIGINT', passOn)
  if (status !== 0) {
    process.stderr.write(output)
    throw new Error(`${title} failed (${status}): ${packageManager} ${args.join(' ')}`)
  }
  onProgress(`${title}: done in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
}

/** Says that a step runs: once in a log, on a terminal with its seconds on one line. Returns what ends that line. */
function showProgress(title, startedAt) {
  if (!process.stderr.isTTY) {
    onProgress(`${title} …`)
    return () => undefined
  }
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    process.stderr.write(`\r${title} … ${seconds} s`)
  }
  show()
  const timer = setInterval(show, progressEveryMs)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[K')
  }
}

function isInstalled() {
  const stamp = readStamp()
  return (
    stamp.installed === fingerprintOfManifests() &&
    stamp.installedAt === installedAt() &&
    workspaceDirs().every((dir) => !hasDependencies(dir) || existsSync(join(dir, 'node_modules')))
  )
}

function isBuilt() {
  const stamp = readStamp()
  return stamp.sources === fingerprintOfSources() && stamp.outputs === fingerprintOfOutputs()
}

/** When pnpm last finished an install here: it writes `.modules.yaml` at the end. 0 when it never did. */
function installedAt() {
  const file = join(repositoryDir, 'node_modules/.modules.yaml')
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function hasDependencies(dir) {
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json')))
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0
}

function fingerprintOfManifests() {
  const root = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', '.npmrc']
  const files = [
    ...root.map((name) => join(repositoryDir, name)),
    ...workspaceDirs().map((dir) => join(dir, 'package.json')),
  ]
  return fingerprint(files, (file) => readFileSync(file), `${process.platform}-${process.arch}`)
}

const notSource = new Set(['node_modules', 'dist', 'generated', '.turbo'])

function fingerprintOfSources() {
  const root = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json', 'buf.yaml']
  const isSource = (name) => !name.endsWith('.test.ts') && !name.endsWith('.md')
  const files = [...workspaceDirs(), join(repositoryDir, 'proto')].flatMap((dir) =>
    [...filesIn(dir, (name) => !notSource.has(name))].filter(isSource),
  )
  const all = [...root.map((name) => join(repositoryDir, name)), ...files]
  return fingerprint(all, (file) => readFileSync(file))
}

/** Sizes are enough to notice a build that was deleted, cut short or made from something else. */
function fingerprintOfOutputs() {
  const isOutput = (file) => /[/\\](dist|generated)[/\\]/.test(file)
  const files = workspaceDirs().flatMap((dir) =>
    [...filesIn(dir, (name) => name !== 'node_modules' && name !== '.turbo')].filter(isOutput),
  )
  return fingerprint(files, (file) => String(statSync(file).size))
}

function fingerprint(files, contentOf, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const file of files.sort())
    hash.update(`\n${relative(repositoryDir, file)}\n`).update(contentOf(file))
  return hash.digest('hex')
}

function workspaceDirs() {
  return ['services', 'packages'].flatMap((group) =>
    readdirSync(join(repositoryDir, group))
      .map((name) => join(repositoryDir, group, name))
      .filter((dir) => existsSync(join(dir, 'package.json'))),
  )
}

function* filesIn(dir, mayEnter) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && mayEnter(entry.name)) yield* filesIn(path, mayEnter)
  }
}

function readStamp() {
  return existsSync(stampFile) ? JSON.parse(readFileSync(stampFile)) : {}
}

function writeStamp(stamp) {
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, JSON.stringify(stamp))
}

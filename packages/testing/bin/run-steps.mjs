import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const places = 3
const longestFirst = fileURLToPath(new URL('longest-first.cjs', import.meta.url))
/** The most output that is kept of a step, to be printed if it fails. */
const outputMax = 1_000_000
/** How long a step may take to end after SIGTERM, before it is killed: a stack takes fourteen seconds to stop at most. */
const endedWithinMs = 16_000
/** Where Linux keeps files in memory, and how much has to be free there. */
const memory = { dir: '/dev/shm', freeMin: 6_000_000_000 }
/** The process groups of the steps that run now. */
const groups = new Set()
let brokenOff = false

/**
 * Runs the steps, side by side as far as they fit, and goes on when one fails, so that one run shows everything.
 *
 * @param {readonly import('./steps.mjs').Step[]} steps
 * @param {{ cwd: string, print: (line: string) => void }} options
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>} tests, and one for each other check
 */
export async function runSteps(steps, { cwd, print }) {
  const disk = mkdtempSync(join(tmpdir(), 'malipo-steps-'))
  const scratch = isRoomy(memory) ? mkdtempSync(join(memory.dir, 'malipo-steps-')) : disk
  const waiting = steps.filter((step) => !isBackground(step))
  const background = steps.filter(isBackground)
  const running = new Map()
  const total = { passed: 0, failed: 0, skipped: 0 }
  const free = () => places - [...running.keys()].reduce((sum, step) => sum + step.places, 0)
  const start = (step) => {
    const ended = run(step, { cwd, scratch, disk })
    running.set(
      step,
      ended.then((end) => ({ step, end })),
    )
  }
  const startWhatFits = () => {
    if (brokenOff) return
    // Steps start in order, so that one that needs all places is not overtaken for ever.
    while (waiting.length > 0 && waiting[0].places <= free()) start(waiting.shift())
    if (background.length > 0 && ![...running.keys()].some(isBackground)) start(background.shift())
  }
  for (startWhatFits(); running.size > 0; startWhatFits()) {
    const { step, end } = await Promise.race(running.values())
    running.delete(step)
    report(step, end, print)
    for (const kind of Object.keys(total)) total[kind] += end.counts[kind]
  }
  for (const dir of [scratch, disk])
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  if (brokenOff) total.failed += waiting.length + background.length
  return total
}

const isBackground = ({ places }) => places === 0

function report(step, { counts, output, seconds, note }, print) {
  const { passed, failed, skipped } = counts
  const tests =
    step.project === undefined ? '' : `${passed} passed, ${failed} failed, ${skipped} skipped, `
  if (failed > 0) print(`\n${output.trimEnd()}\n`)
  print(
    `${failed > 0 ? '✗' : '✓'} ${step.title}: ${tests}${seconds.toFixed(1)} s${note ? ` (${note})` : ''}`,
  )
}

async function run(step, { cwd, scratch, disk }) {
  const startedAt = performance.now()
  const results = join(scratch, `${step.name}.json`)
  const options = { cwd, env: ownEnvironment(scratch, disk) }
  const command = commandOf(step, results)
  const { status, output, late } = await capture(command, options, step)
  const note = late ? `ended after ${step.deadlineSeconds} s` : undefined
  const counts = step.project === undefined ? countCheck(status) : countTests(status, results)
  return { counts, output, note, seconds: (performance.now() - startedAt) / 1_000 }
}

function commandOf(step, results) {
  if (step.script !== undefined) {
    const npm = ['npm', 'run', '--silent', step.script]
    return isBackground(step) ? ['nice', ['-n', '19', ...npm]] : [npm[0], npm.slice(1)]
  }
  // Each test file loads its modules anew; a larger young generation of the heap saved 5 to 10 % of the processor time.
  const node = ['--max-semi-space-size=32', 'node_modules/jest/bin/jest.js']
  const jest = [...node, '--ci', '--json', `--outputFile=${results}`]
  if (step.part !== undefined) jest.push(`--shard=${step.part}`)
  if (step.part !== undefined || step.workers > 1) jest.push('--testSequencer', longestFirst)
  return [
    process.execPath,
    [...jest, '--selectProjects', step.project, '--maxWorkers', String(step.workers ?? 1)],
  ]
}

function countCheck(status) {
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

/** Counts tests by Jest's report. A file that does not load counts as a failure, and so does a run without tests. */
function countTests(status, results) {
  if (!existsSync(results)) return { passed: 0, failed: 1, skipped: 0 }
  const run = JSON.parse(readFileSync(results, 'utf8'))
  const failed = run.numFailedTests + run.numRuntimeErrorTestSuites
  return {
    passed: run.numPassedTests,
    failed: failed === 0 && (status !== 0 || run.numTotalTests === 0) ? 1 : failed,
    skipped: run.numPendingTests + run.numTodoTests,
  }
}

/** Runs a command in its own process group, so that nothing of it outlives its deadline or this process. */
async function capture([command, args], options, step) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(command, args, { ...options, detached: true, stdio })
  groups.add(child.pid)
  if (isBackground(step)) yieldAsGroup(child.pid)
  let output = ''
  const keep = (chunk) => (output = (output + chunk).slice(-outputMax))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let late = false
  const deadline = setTimeout(() => {
    late = true
    endGroup(child.pid)
  }, step.deadlineSeconds * 1_000)
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      keep(String(error))
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
    // A process that the step left behind may keep its output open, so that `close` does not come. The step then ends
    // some seconds after its exit.
    child.once('exit', (code) => setTimeout(resolve, endedWithinMs, code ?? 1).unref())
  })
  clearTimeout(deadline)
  groups.delete(child.pid)
  return { status: late ? 1 : status, output, late }
}

/**
 * Lowers the priority of a whole session. Where Linux groups processes by session (autogroup), `nice` counts only
 * inside of the session of the step.
 */
function yieldAsGroup(pid) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '19', { flag: 'r+' })
  } catch {
    // Where this is not possible or not allowed, the step only slows the other steps down.
  }
}

/**
 * Whether temporary files fit into memory: copying a database for each test file takes five times as long on a disk.
 */
function isRoomy({ dir, freeMin }) {
  if (!existsSync(dir)) return false
  const { bavail, bsize } = statfsSync(dir)
  return Math.min(bavail * bsize, freemem()) >= freeMin
}

/**
 * Returns the environment of a step: without the databases that the shell names, and with a folder for temporary files,
 * in memory where there is room. What is too large for memory goes to DISK_TMPDIR.
 */
function ownEnvironment(scratch, disk) {
  const env = { ...process.env, TMPDIR: scratch, DISK_TMPDIR: disk }
  delete env.DATABASE_URL
  delete env.REDIS_URL
  return env
}

/** SIGTERM lets a test run take its databases down. A process that does not end by it is killed. */
function endGroup(pid) {
  signalGroup(pid, 'SIGTERM')
  setTimeout(() => signalGroup(pid, 'SIGKILL'), endedWithinMs).unref()
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Makes Ctrl-C end the running steps and start no other step. The counts are still printed. */
export function endWithSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      brokenOff = true
      for (const pid of groups) endGroup(pid)
    })
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { identify, type ProcessIdentity } from './process-identity'

export interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** What is sent to end it, one after the other; SIGKILL is always the last. */
  readonly stopSignals: readonly NodeJS.Signals[]
}

export interface Watcher {
  /** The program runs (again), as this process. */
  began(program: Program, identity: ProcessIdentity): void
  /** The program ended without being asked to, and will be started again after the delay. */
  ended(program: Program, how: string, restartsInMs: number): void
}

export interface Supervised {
  readonly program: Program
  /** The process it is now; undefined while it waits for its next start. */
  identity(): ProcessIdentity | undefined
  /** How often it has ended without being asked to. */
  endings(): number
  /** Ends it within `deadlineMs`: politely in the first two thirds, by force after that. */
  stop(deadlineMs: number): Promise<void>
}

const backOff = { firstMs: 100, mostMs: 5_000 }
/** A program that ran this long is healthy: after its next end it waits for the first delay again. */
const healthyAfterMs = 10_000

/** Keeps one program running: starts it now, and again after each end, with a longer delay each time it ends early. */
export function supervise(program: Program, watcher: Watcher): Supervised {
  let child: ChildProcess | undefined
  let identity: ProcessIdentity | undefined
  let restart: NodeJS.Timeout | undefined
  let stopping = false
  let endings = 0
  let failuresInARow = 0

  const launch = () => {
    const beganAt = performance.now()
    const launched = spawnLogged(program)
    child = launched
    identity = launched.pid === undefined ? undefined : identify(launched.pid)
    if (identity) watcher.began(program, identity)
    whenEnded(launched, (how) => {
      child = identity = undefined
      if (stopping) return
      endings++
      failuresInARow = performance.now() - beganAt > healthyAfterMs ? 1 : failuresInARow + 1
      const delayMs = Math.min(backOff.firstMs * 2 ** (failuresInARow - 1), backOff.mostMs)
      watcher.ended(program, how, delayMs)
      restart = setTimeout(launch, delayMs)
    })
  }
  launch()

  return {
    program,
    identity: () => identity,
    endings: () => endings,
    async stop(deadlineMs) {
      stopping = true
      clearTimeout(restart)
      if (child) await end(child, program.stopSignals, deadlineMs)
    },
  }
}

/**
 * The log is the program's own file, not a pipe through us: it outlives us and costs us nothing. A separate process group keeps
 * Ctrl-C in our terminal from ending the database before those who use it.
 */
function spawnLogged(program: Program): ChildProcess {
  const log = openSync(program.logFile, 'a', 0o600)
  const child = spawn(program.command, program.args, {
    cwd: '/',
    env: program.env,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  return child
}

function whenEnded(child: ChildProcess, then: (how: string) => void): void {
  // A program that cannot be started has an `error` and no `exit`.
  child.once('error', (error) => {
    if (child.pid === undefined) then(error.message)
  })
  child.once('exit', (code, signal) => {
    then(signal ?? `exit code ${String(code)}`)
  })
}

async function end(
  child: ChildProcess,
  politely: readonly NodeJS.Signals[],
  deadlineMs: number,
): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const politeMs = (deadlineMs * 2) / 3 / politely.length
  const timers = [...politely, 'SIGKILL' as const].map((signal, turn) =>
    setTimeout(() => child.kill(signal), turn * politeMs),
  )
  await ended
  for (const timer of timers) clearTimeout(timer)
}

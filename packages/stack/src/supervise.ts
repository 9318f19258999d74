import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { identify, type ProcessIdentity } from './process-identity'

export interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** The signals that end the program, sent one after the other. SIGKILL always follows as the last. */
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
  /** The program's current process; undefined while the program waits for its next start. */
  identity(): ProcessIdentity | undefined
  /** How often the program has ended without being asked to. */
  endings(): number
  /** Ends the program: by its stop signals, which share `graceMs`, and then by SIGKILL. */
  stop(graceMs: number): Promise<void>
  /** Ends the program at once, for good. */
  kill(): void
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
    async stop(graceMs) {
      stopping = true
      clearTimeout(restart)
      if (child) await end(child, program.stopSignals, graceMs)
    },
    kill() {
      stopping = true
      clearTimeout(restart)
      if (child) killGroup(child)
    },
  }
}

/**
 * Starts a program that writes its log straight to a file, so that the log survives the supervisor. The program has a
 * separate process group, so that Ctrl-C in the terminal does not end the databases before the services that use them.
 */
function spawnLogged(program: Program): ChildProcess {
  const log = openLog(program.logFile)
  const child = spawn(program.command, program.args, {
    cwd: '/',
    env: program.env,
    stdio: ['ignore', log, log],
    detached: true,
  })
  if (log !== 'ignore') closeSync(log)
  return child
}

/** Opens a log to append to. Where that fails, as on a full disk, the program runs without: payments need no log. */
function openLog(file: string): number | 'ignore' {
  try {
    // The folder may have been removed while the stack runs.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  } catch {
    return 'ignore'
  }
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
  graceMs: number,
): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const timers = politely.map((signal, turn) =>
    setTimeout(() => child.kill(signal), (turn * graceMs) / politely.length),
  )
  const last = setTimeout(killGroup, graceMs, child)
  await ended
  for (const timer of [...timers, last]) clearTimeout(timer)
}

/** Kills a program with what it runs: under `npm run dev` a service is the child of Node's watch mode. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

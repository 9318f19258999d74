import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import { isRunning, type ProcessIdentity } from '@malipo/stack/process-identity'
import { untilRedisAnswers } from '@malipo/stack/redis'
import { readStackFile, type StackFile } from '@malipo/stack/stack-file'
import { eventually } from '@malipo/testing/eventually'
import { copyStackTemplate } from '@malipo/testing/stack-template'

/** A separate stack, started by `npm start`. */
export interface RunningStack {
  readonly file: StackFile
  readonly dir: string
  /** Sends a signal to one of its processes, by the name in `stack.json`; `postgres` and `redis` too. */
  signal(name: string, signal: NodeJS.Signals): void
  /** Resolves once every process runs and answers, also the one that was just killed or asked to end. */
  untilWhole(withinMs?: number): Promise<void>
  stop(): Promise<void>
}

/** Longer than a cold start takes on a busy machine: packages are installed already, and databases are made anew. */
const startDeadlineMs = 300_000
const stopDeadlineMs = 120_000
/**
 * How long a stack may take to be whole again. A program that was killed often is restarted only after five seconds,
 * and a database first recovers.
 */
const wholeDeadlineMs = 150_000

/** A flag of `npm start`: M-PESA takes whole shillings only, as in production. */
export const wholeShillings = '--whole-shillings'

/**
 * Starts a stack on free ports in a new folder of `parent`. `environment` shortens times, such as
 * CHECKOUT_LIFE_SECONDS; `flags` are more flags of `npm start`.
 */
export async function startStack(
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  parent = tmpdir(),
): Promise<RunningStack> {
  const dir = mkdtempSync(join(parent, 'malipo-e2e-'))
  copyStackTemplate(dir)
  const script = join(repositoryDir, 'packages/stack/bin/start.mjs')
  const child = spawn(process.execPath, [script, '--ports', 'auto', '--dir', dir, ...flags], {
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  // A test run that is broken off must not leave a stack behind.
  const endWithUs = () => child.kill('SIGTERM')
  process.once('exit', endWithUs)
  const becomeReady = () => {
    if (hasEnded(child)) throw new Error(`The stack did not start:\n${output.join('')}`)
    // The stack makes a checkout for its table before it prints the table, and exits when it cannot, so the table shows
    // that it works.
    return output.join('').includes('Ctrl-C stops') && readStackFile(dir)
  }
  const file = await eventually('the stack is ready', becomeReady, startDeadlineMs).catch(
    (error: unknown) => {
      endWithUs()
      throw error
    },
  )
  const ended = new Set<number>()
  return {
    file,
    dir,
    async untilWhole(withinMs = wholeDeadlineMs) {
      // No single check is enough: the record may still name a process that has ended, and services are ready without
      // Redis.
      const isWhole = async () =>
        Object.values(readProcesses(dir)).every((it) => !ended.has(it.pid) && isRunning(it)) &&
        (await Promise.all(Object.values(file.processes).map(isReady))).every(Boolean)
      await eventually('every process runs and is ready', isWhole, withinMs, 100)
      await untilRedisAnswers(file.redis, withinMs)
    },
    signal(name, signal) {
      const pid = readProcesses(dir)[name]?.pid
      if (pid === undefined) throw new Error(`The stack has no process ${name}`)
      process.kill(pid, signal)
      if (signal === 'SIGKILL' || signal === 'SIGTERM') ended.add(pid)
    },
    async stop() {
      child.kill('SIGTERM')
      await eventually('the stack has stopped', () => hasEnded(child), stopDeadlineMs)
      process.off('exit', endWithUs)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Returns the environment without the databases of the shell, which tests must not fill. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...environment } = process.env
  return environment
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function isReady({ metrics_url }: { readonly metrics_url: string }): Promise<boolean> {
  const answer = await fetch(new URL('/readyz', metrics_url)).catch(() => undefined)
  return answer?.status === 200
}

function readProcesses(dir: string): Readonly<Record<string, ProcessIdentity>> {
  const record = JSON.parse(readFileSync(join(dir, 'supervisor.json'), 'utf8')) as {
    children: Record<string, ProcessIdentity>
  }
  return record.children
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import { readStackFile, type StackFile } from '@malipo/stack/stack-file'
import { eventually } from '@malipo/testing/eventually'

/** A whole Malipo of its own, started by the command that people use. */
export interface RunningStack {
  readonly file: StackFile
  /** Sends a signal to one of its processes, by the name in `stack.json`; `postgres` and `redis` too. Returns its id. */
  signal(name: string, signal: NodeJS.Signals): number
  /** The id of the process that a name has at this moment. */
  pidOf(name: string): number
  stop(): Promise<void>
}

/** Longer than a cold start takes on a busy machine: packages are there, databases are made anew. */
const startDeadlineMs = 120_000
const stopDeadlineMs = 15_000

/** Starts a stack on free ports in a folder of its own. `environment` shortens times: CHECKOUT_LIFE_SECONDS and its kin. */
export async function startStack(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningStack> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-e2e-'))
  const script = join(repositoryDir, 'packages/stack/bin/start.mjs')
  const child = spawn(process.execPath, [script, '--ports', 'auto', '--dir', dir], {
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  // A test run that is broken off must not leave a stack behind.
  const endWithUs = () => child.kill('SIGTERM')
  process.once('exit', endWithUs)
  const file = await eventually(
    'the stack is ready',
    () => {
      if (hasEnded(child)) throw new Error(`The stack did not start:\n${output.join('')}`)
      return readStackFile(dir)
    },
    startDeadlineMs,
  )
  const pidOf = (name: string) => {
    const pid = readPids(dir)[name]?.pid
    if (pid === undefined) throw new Error(`The stack has no process ${name}`)
    return pid
  }
  return {
    file,
    pidOf,
    signal(name, signal) {
      const pid = pidOf(name)
      process.kill(pid, signal)
      return pid
    },
    async stop() {
      child.kill('SIGTERM')
      await eventually('the stack has stopped', () => hasEnded(child), stopDeadlineMs)
      process.off('exit', endWithUs)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Whatever databases the shell points to are not for tests to fill. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...environment } = process.env
  return environment
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function readPids(dir: string): Readonly<Record<string, { readonly pid: number }>> {
  const record = JSON.parse(readFileSync(join(dir, 'supervisor.json'), 'utf8')) as {
    children: Record<string, { pid: number }>
  }
  return record.children
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { repositoryDir } from './migrate'
import { isRunning, type ProcessIdentity } from './process-identity'
import { readStackFile, type StackFile } from './stack-file'

const readyDeadlineMs = 300_000

/** `npm start` run as a user runs it, on free ports and in its own folder. */
export interface StartedStack {
  readonly child: ChildProcess
  /** All that was printed so far. */
  output(): string
  /** stack.json, once it is there and the table with it is printed. */
  ready(): Promise<StackFile>
  /** The exit code, once it ended. */
  ended(): Promise<number | null>
}

export function startStack(
  dir: string,
  flags: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  command: 'start' | 'dev' = 'start',
): StartedStack {
  const script = join(repositoryDir, 'packages/stack/bin', `${command}.mjs`)
  const args = [script, '--dir', dir, '--ports', 'auto', ...flags]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } })
  let output = ''
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exit = once(child, 'exit') as Promise<[number | null]>
  return {
    child,
    output: () => output,
    async ready() {
      const isOurs = () => {
        const file = readStackFile(dir)
        if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
        return file?.supervisor.pid === child.pid && output.includes('Ctrl-C stops') && file
      }
      return eventually('a ready stack', isOurs, readyDeadlineMs)
    },
    async ended() {
      const [code] = await exit
      return code
    },
  }
}

/** Every process that the supervisor of `dir` has started, Postgres and Redis among them. */
export function processesOf(dir: string): Readonly<Record<string, ProcessIdentity>> {
  const { children } = JSON.parse(readFileSync(join(dir, 'supervisor.json'), 'utf8')) as {
    children: Record<string, ProcessIdentity>
  }
  return children
}

export function namesOfRunning(processes: Readonly<Record<string, ProcessIdentity>>): string[] {
  return Object.entries(processes)
    .filter(([, identity]) => isRunning(identity))
    .map(([name]) => name)
    .sort()
}

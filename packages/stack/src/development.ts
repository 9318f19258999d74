import { closeSync, openSync, readSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fixedPorts } from './ports'
import { repositoryDir } from './migrate'
import type { Command, ServiceProgram } from './programs'

export interface DevelopmentOptions {
  /** The folder of the stack, with its logs. */
  readonly dir: string
  /** The process that gets a debugger. */
  readonly inspected: string | undefined
  /** The port on which the auth service listens, because Vite's server of the hub has the public port. */
  readonly authPort: number
  readonly onProgress: (line: string) => void
}

export interface Development {
  command(program: ServiceProgram): Command
  /** Says in the terminal which process restarts, how long it takes, and why one does not start. */
  reportRestarts(): void
  stop(): void
}

/** Takes `--inspect NAME` out of the arguments. Throws when there is no process of that name. */
export function readInspected(args: readonly string[]): {
  readonly inspected: string | undefined
  readonly rest: readonly string[]
} {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { inspect: { type: 'string' } },
    strict: false,
    tokens: true,
  })
  const { inspect: inspected } = values
  if (inspected === undefined) return { inspected, rest: args }
  const names = Object.keys(fixedPorts).filter((name) => 'admin' in fixedPorts[name as 'auth'])
  if (typeof inspected !== 'string' || !names.includes(inspected))
    throw new Error(`--inspect needs the name of a process: ${names.join(', ')}`)
  const token = tokens.find((each) => each.kind === 'option' && each.name === 'inspect')
  const at = token?.index ?? 0
  const length = token?.kind === 'option' && token.inlineValue === true ? 1 : 2
  return { inspected, rest: args.toSpliced(at, length) }
}

/** Runs services from their sources under Node's own watch mode, which knows what each process has imported. */
export function openDevelopment({
  dir,
  inspected,
  authPort,
  onProgress,
}: DevelopmentOptions): Development {
  const names = new Set<string>()
  const logOf = (name: string) => join(dir, 'logs', `${name}.log`)
  return {
    command(program) {
      names.add(program.name)
      return {
        args: [
          ...['--watch', '--watch-preserve-output', '--conditions=@malipo/source'],
          ...(program.name === inspected ? ['--inspect=127.0.0.1:0'] : []),
          ...['--require', join(repositoryDir, 'packages/testing/bin/run-from-source.cjs')],
          join(repositoryDir, 'services', program.service, 'src/main.ts'),
          program.name,
        ],
        env: program.name === 'auth' ? { ...program.env, PORT: String(authPort) } : program.env,
      }
    },
    reportRestarts() {
      for (const name of names) followLog(logOf(name), restartReporter(name, onProgress))
    },
    stop() {
      for (const name of names) unwatchFile(logOf(name))
    },
  }
}

/** How many lines show why a process did not start: the message and the lines of code, without the stack trace. */
const shownLinesMax = 12
const isOfStack = /^\s*at |^Node\.js v|^\{"level"/

/** Reads the log of one process: recognises the lines of Node's watch mode and of our own start, and reports them. */
export function restartReporter(name: string, onProgress: (line: string) => void) {
  let since: number | undefined
  let shown: string[] = []
  return (line: string, nowMs = performance.now()) => {
    if (line.includes('Restarting ')) {
      since = nowMs
      shown = []
      onProgress(`${name} restarts …`)
    } else if (line.includes('Failed running ')) {
      onProgress([`${name} does not start:`, ...shown].join('\n  '))
    } else if (since !== undefined && line.includes('"msg":"started"')) {
      onProgress(`${name} runs again after ${((nowMs - since) / 1_000).toFixed(1)} s`)
      since = undefined
    } else if (since !== undefined && line !== '' && !isOfStack.test(line)) {
      shown = [...shown, line].slice(0, shownLinesMax)
    }
  }
}

const followEveryMs = 100

/** Gives each line that is added to a file from now on. A file that shrank is read from its start. */
function followLog(file: string, onLine: (line: string) => void): void {
  let at = statSync(file).size
  let rest = ''
  watchFile(file, { interval: followEveryMs }, ({ size }) => {
    if (size < at) at = 0
    const bytes = Buffer.alloc(size - at)
    const log = openSync(file, 'r')
    at += readSync(log, bytes, 0, bytes.length, at)
    closeSync(log)
    const lines = (rest + bytes.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'
import type { StackFile } from '@malipo/stack/stack-file'

export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `malipo` as a merchant's developer runs it. */
export interface Cli {
  run(words: readonly string[], changes?: Readonly<Record<string, string>>): Promise<Ended>
  /** Starts a command that goes on until `stop`, which is Ctrl-C. */
  start(words: readonly string[]): Running
}

export interface Running {
  /** The JSON values that the command printed, one a line. */
  printed(): readonly Readonly<Record<string, unknown>>[]
  stop(): Promise<Ended>
}

const deadlineMs = 120_000

/** The program as it was built in this clone. */
export const builtCli = join(repositoryDir, 'packages/cli/bin/malipo.mjs')

/** Packs the built package with the SDK, and installs both into an empty folder. Returns the program there. */
export async function installCli(dir: string): Promise<string> {
  await pack(dir)
  writeFileSync(join(dir, 'package.json'), '{"name":"shop","private":true}')
  const packed = readdirSync(dir).filter((name) => name.endsWith('.tgz'))
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent']
  await promisify(execFile)('npm', [...install, ...packed.map((name) => `./${name}`)], { cwd: dir })
  return join(dir, 'node_modules/.bin/malipo')
}

/** Runs the program with the settings of the stack's merchant in Kenya. */
export function openCli(program: string, stack: StackFile): Cli {
  const merchant = stack.merchants.find(({ country }) => country === 'ke')
  const env = {
    PATH: process.env['PATH'],
    // A home folder without settings of the machine's owner.
    HOME: tmpdir(),
    MALIPO_KEY: merchant?.secret_key,
    MALIPO_URL: stack.hosts.ke.base_url,
    MALIPO_SIMULATOR_URL: stack.simulator.url,
  }
  const start = (words: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
    startProgram(program, words, { ...env, ...changes })
  return {
    run: (words, changes) => start(words, changes).ended,
    start(words) {
      const { child, output, ended } = start(words)
      return {
        printed: () =>
          output.stdout
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
        stop() {
          child.kill('SIGINT')
          return ended
        },
      }
    },
  }
}

/** Packs by pnpm, which replaces `workspace:*` in the manifest by the version of the SDK. */
async function pack(dir: string): Promise<void> {
  const manifest = readFileSync(join(repositoryDir, 'package.json'), 'utf8')
  const { packageManager } = JSON.parse(manifest) as { readonly packageManager: string }
  // The prefix has no packages; from the root, npx would first read all of node_modules.
  const prefix = join(repositoryDir, 'packages/stack/bin')
  const pnpm = ['--prefix', prefix, '--yes', '--prefer-offline', packageManager]
  const packages = ['--filter', '@malipo/sdk', '--filter', '@malipo/cli']
  const to = ['pack', '--pack-destination', dir]
  await promisify(execFile)('npx', [...pnpm, ...packages, ...to], { cwd: repositoryDir })
}

function startProgram(program: string, words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = once(child, 'close').then(([exitCode]): Ended => ({
    exitCode: exitCode as number | null,
    ...output,
  }))
  return { child, output, ended }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Process, runCli } from './run-cli'

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunChanges extends Partial<Process> {
  readonly isTerminal?: true
  readonly onOutput?: (text: string) => void
}

/** A secret key that no host has issued. */
export const someKey = `mkp_test_${'ABC2'.repeat(13)}`

/** Runs the command line `words` with no settings and an empty home folder unless they are given. */
export async function run(words: string, changes: RunChanges = {}): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const isTTY = changes.isTerminal === true
  const homeDir = mkdtempSync(join(tmpdir(), 'malipo-cli-'))
  const exitCode = await runCli({
    argv: words.split(' ').filter((word) => word !== ''),
    env: {},
    homeDir,
    stdout: {
      isTTY,
      write(text) {
        printed.stdout += text
        changes.onOutput?.(text)
      },
    },
    stderr: { isTTY, write: (text) => (printed.stderr += text) },
    signal: new AbortController().signal,
    ...changes,
  }).finally(() => {
    rmSync(homeDir, { recursive: true })
  })
  return { exitCode, ...printed }
}

/** A server on this machine while `use` runs, at the address that `use` is given. */
export async function withServer(
  answer: RequestListener,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await use(`http://127.0.0.1:${String(port)}`).finally(() => {
    server.closeAllConnections()
    server.close()
  })
}

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Settings } from './settings'

/**
 * Runs a command with the settings of the sandbox in its environment, in the terminal of this process. Resolves to its
 * exit code, 128 and the signal's number when a signal ended it. Rejects when there is no such program.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<number> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, ended) => {
      resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended]))
    })
  })
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'

export interface CommandResult {
  readonly text: string
  readonly isGood: boolean
}

/** The passphrase of all operators' keys in tests. */
export const operatorPassphrase = 'correct horse battery'

/** An operator at a terminal: `npm run operate -- …` for the stack of a folder. */
export async function operate(dir: string, ...words: readonly string[]): Promise<CommandResult> {
  const script = join(repositoryDir, 'packages/stack/bin/operate.mjs')
  const env = { ...process.env, OPERATOR_PASSPHRASE: operatorPassphrase }
  return promisify(execFile)(process.execPath, [script, ...words, '--dir', dir], { env }).then(
    ({ stdout }) => ({ text: stdout, isGood: true }),
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      return { text: `${stdout}${stderr}`, isGood: false }
    },
  )
}

import { join } from 'node:path'
import { askedAgain } from './run-to-the-end.mjs'
import { withLockFile } from './with-lock-file.mjs'

/**
 * Claims the folder and starts a stack in it. Throws, with the process id, where a stack runs in the folder already.
 */
export async function claimStack(options, { onProgress, signal, command }) {
  const { claimDir } = await import('../dist/claim.js')
  const { start } = await import('../dist/start.js')
  const turn = join(options.dir, 'claim.lock')
  const claim = await withLockFile(turn, { onWait: () => undefined }, () => claimDir(options.dir))
  return start({ options, claim, onProgress, signal, atOnce: askedAgain, command })
}

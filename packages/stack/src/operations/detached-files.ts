import { join, resolve } from 'node:path'
import type { Country } from '@malipo/kernel/countries'
import { findRunningStack } from '../claim'

/** Where the files of detached months are, and the databases that they are of. */
export interface DetachedFiles {
  readonly dir: string
  /** The database of a country's ledger, as its owner. */
  ownerUrl(country: Country): string
}

/**
 * The databases of the stack that runs in `dir`, or the one that OWNER_DATABASE_URL names. The files are in `into`, or in the
 * folder of the stack.
 */
export function findDetachedFiles(
  dir: string,
  into: string | undefined,
  environment: NodeJS.ProcessEnv,
): DetachedFiles {
  const { OWNER_DATABASE_URL: elsewhere, INIT_CWD: calledIn = '.' } = environment
  return {
    dir: into === undefined ? join(dir, 'detached') : resolve(calledIn, into),
    ownerUrl(country) {
      if (elsewhere !== undefined && elsewhere !== '') return elsewhere
      const stack = findRunningStack(dir)
      if (stack === undefined) {
        throw new Error(`No stack runs in ${dir}: npm start, or set OWNER_DATABASE_URL`)
      }
      return stack.databases[`ledger_${country}`]
    },
  }
}

import { join, resolve } from 'node:path'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { placeOf } from '../cells/place-of'
import { findRunningStack } from '../claim'

interface Place {
  readonly country: Country
  readonly cell: Cell
}

/** Where the files of detached months are, and the databases that they are of. */
export interface DetachedFiles {
  /** The folder of a ledger's files. The folder of each further cell is inside that of the first cell. */
  dirOf(place: Place): string
  /** The database of a ledger, as its owner. */
  ownerUrl(place: Place): string
}

/**
 * Finds the databases: the one that OWNER_DATABASE_URL names, otherwise those of the stack that runs in `dir`. The
 * files are in `into`, otherwise in `dir`/detached.
 */
export function findDetachedFiles(
  dir: string,
  into: string | undefined,
  environment: NodeJS.ProcessEnv,
): DetachedFiles {
  const { OWNER_DATABASE_URL: elsewhere, INIT_CWD: calledIn = '.' } = environment
  const files = into === undefined ? join(dir, 'detached') : resolve(calledIn, into)
  return {
    dirOf: ({ cell }) => (cell === firstCell ? files : join(files, placeOf('', cell).slice(1))),
    ownerUrl({ country, cell }) {
      if (elsewhere !== undefined && elsewhere !== '') return elsewhere
      const stack = findRunningStack(dir)
      if (stack === undefined) {
        throw new Error(`No stack runs in ${dir}: npm start, or set OWNER_DATABASE_URL`)
      }
      const { databases } = stack
      const url =
        cell === firstCell ? databases[`ledger_${country}`] : databases[`ledger_${country}_cell_1`]
      if (url === undefined) throw new Error(`There is no cell ${String(cell)} of ${country} here`)
      return url
    },
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { placeOf } from '../cells/place-of'
import { writePrivateFile } from '../private-file'

/**
 * The file in which the ledger of a cell marks how far its database is. The mark is outside the databases, so that the
 * restore of an older copy does not reset it too.
 */
export function copyMarkFileOf(dir: string, country: Country, cell: Cell = firstCell): string {
  return join(dir, 'marks', `${placeOf(`ledger-${country}`, cell)}.json`)
}

/** Tells the ledger of a country that its database was restored from an older copy on purpose. */
export function acceptCopy(
  dir: string,
  { country, cell = firstCell }: { readonly country: Country; readonly cell?: Cell },
  note: string,
): string {
  const file = copyMarkFileOf(dir, country, cell)
  if (!existsSync(file)) {
    throw new Error(
      `No ledger of ${placeOf(country, cell)} has marked a database in ${dir}: there is nothing to accept`,
    )
  }
  writePrivateFile(`${file}.accepted`, `${JSON.stringify({ note })}\n`)
  return `The ledger of ${placeOf(country, cell)} takes the older copy within seconds of its start, and passes over the Pay Bill numbers that it may lack`
}

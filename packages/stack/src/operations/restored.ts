import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Country } from '@malipo/kernel/countries'
import { writePrivateFile } from '../private-file'

/** Where the ledger of a country marks how far its database is: beside the databases of the stack, and not in them. */
export function copyMarkFileOf(dir: string, country: Country): string {
  return join(dir, 'marks', `ledger-${country}.json`)
}

/** Tells the ledger of a country that its database was restored from an older copy on purpose. */
export function acceptCopy(dir: string, country: Country, note: string): string {
  const file = copyMarkFileOf(dir, country)
  if (!existsSync(file)) {
    throw new Error(
      `No ledger of ${country} has marked a database in ${dir}: there is nothing to accept`,
    )
  }
  writePrivateFile(`${file}.accepted`, `${JSON.stringify({ note })}\n`)
  return `The ledger of ${country} takes the older copy within a second of its start, and passes over the Pay Bill numbers that it may lack`
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from './migrate'
import { readMigrations } from './migration-history'

/** Migrations up to this one are exempt: they were applied before the migrate step could use CONCURRENTLY. */
const lastExempt = '20261125131500_newest_rows_by_time'

/** The indexes of a script that would block payments: made on an existing table without CONCURRENTLY. */
function lockingIndexes(script: string): readonly string[] {
  const made = [...script.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table)
  return [...script.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(\w+)\s+ON (\w+)/g)]
    .filter(([, , table]) => !made.includes(table))
    .map(([, index]) => String(index))
}

test.each(['ledger', 'keys', 'auth'])(
  'a new migration of %s makes each index on an existing table with CONCURRENTLY',
  (service) => {
    const dir = join(repositoryDir, 'services', service)
    const locking = readMigrations(dir)
      .filter(({ name }) => name > lastExempt)
      .flatMap(({ name }) =>
        lockingIndexes(readFileSync(join(dir, 'prisma/migrations', name, 'migration.sql'), 'utf8')),
      )
    expect(locking).toEqual([])
  },
)

test('an index on a table of the same migration needs no CONCURRENTLY, and one on an existing table does', () => {
  const script = `CREATE TABLE new (a INT); CREATE INDEX new_a ON new (a);
    CREATE UNIQUE INDEX old_a ON old (a);`
  expect(lockingIndexes(script)).toEqual(['old_a'])
  expect(lockingIndexes('CREATE INDEX CONCURRENTLY old_a ON old (a);')).toEqual([])
})

import type { Cell } from '@malipo/kernel/cells'
import type { CountryRules } from '@malipo/kernel/countries'
import { chartOf } from '../journal/rules/postings'
import type { Database } from './database'

/**
 * Makes sure, before any money moves, that a database is of this country and cell: a new database is stamped with both
 * and gets its accounts, and the database of another country or cell is refused.
 */
export async function takeDeployment(
  db: Database,
  { country, currency }: CountryRules,
  cell: Cell,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO deployment (country, currency, cell) VALUES (${country}, ${currency}, ${cell}) ON CONFLICT DO NOTHING`
  const found = await db.deployment.findUniqueOrThrow({ where: { isOnly: true } })
  if (found.country !== country) {
    throw new Error(
      `This database keeps the money of ${found.country}, and this ledger is for ${country}`,
    )
  }
  if (found.cell !== cell) {
    throw new Error(
      `This database keeps the money of cell ${String(found.cell)}, and this ledger is for cell ${String(cell)}`,
    )
  }
  await db.$executeRaw`
    INSERT INTO accounts (id, currency) SELECT id, ${currency} FROM unnest(${chartOf(country)}::text[]) id
    ON CONFLICT DO NOTHING`
}

/** Refuses to run as a role that could change the journal, such as the owner of its tables. */
export async function checkRole(db: Database): Promise<void> {
  const [role] = await db.$queryRaw<[{ name: string; isMighty: boolean }]>`
    SELECT current_user::text AS name,
      has_table_privilege('transfers', 'UPDATE, DELETE, TRUNCATE, TRIGGER') AS "isMighty"`
  if (!role.isMighty) return
  throw new Error(
    `The role ${role.name} of DATABASE_URL may change the journal. Connect as the role that the migrate step gives its rights`,
  )
}

/**
 * Refuses a database whose clock is not the server's own. Every load reads the time by these two functions, which a
 * test can replace in a schema that is first in the search path.
 */
export async function checkClock(db: Database): Promise<void> {
  const [clock] = await db.$queryRaw<[{ isOfServer: boolean }]>`
    SELECT 'clock_timestamp()'::regprocedure = 'pg_catalog.clock_timestamp()'::regprocedure
      AND 'statement_timestamp()'::regprocedure = 'pg_catalog.statement_timestamp()'::regprocedure AS "isOfServer"`
  if (clock.isOfServer) return
  throw new Error('The clock of this database is set by a test, and not the clock of its server')
}

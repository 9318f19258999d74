import type { TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { auditQuery, ever, invariants } from './audit/store/audit'

/** Runs the audit's queries, and returns the invariants that do not hold, each with examples of what breaks it. */
export async function brokenInvariants(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const { number, statement, ...queries } of invariants) {
    const { rows } = await database.pool.query<{ examples: unknown[] }>(auditQuery(queries, true), [
      ever,
    ])
    const examples = rows[0]?.examples ?? []
    if (examples.length > 0) broken[`${String(number)} ${statement}`] = examples
  }
  return broken
}

/** The invariants that do not hold, once a ledger that still runs has had a moment to end overdue attempts. */
export async function settledInvariants(
  database: TestDatabase,
): Promise<Record<string, unknown[]>> {
  let broken = await brokenInvariants(database)
  await eventually('every invariant holds', async () => {
    broken = await brokenInvariants(database)
    return Object.keys(broken).length === 0
  }).catch(() => undefined)
  return broken
}

/** Makes a change, returns the examples that the query of an invariant finds, and rolls the change back. */
export async function found(
  database: TestDatabase,
  change: string,
  number: number,
): Promise<unknown[]> {
  const queries = invariants.find((one) => one.number === number) ?? { query: '' }
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query(change)
  const { rows } = await client.query<{ examples: unknown[] }>(auditQuery(queries, true), [ever])
  await client.query('ROLLBACK')
  client.release()
  return rows[0]?.examples ?? []
}

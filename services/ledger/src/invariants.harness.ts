import type { TestDatabase } from '@malipo/testing/database'
import { auditQuery, ever } from './store/audit/audit'
import { invariants } from './store/audit/invariants'

/** The invariants that do not hold, each with who breaks it: what the ledger asks itself, past the ledger. */
export async function brokenInvariants(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const { number, statement, query } of invariants) {
    const { rows } = await database.pool.query<{ examples: unknown[] }>(auditQuery(query), [ever])
    const examples = rows[0]?.examples ?? []
    if (examples.length > 0) broken[`${String(number)} ${statement}`] = examples
  }
  return broken
}

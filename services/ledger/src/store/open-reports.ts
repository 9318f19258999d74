import type { Database } from './database'

/**
 * When each of these checkouts was first reported as paid by an attempt, of the reports that wait to be confirmed. Those
 * that have none are left out. Reports of the Pay Bill menu stand in the view of a checkout.
 */
export async function findOpenReports(
  db: Database,
  checkoutIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = await db.$queryRaw<{ id: string; at: Date }[]>`
    SELECT checkout_id AS id, min(reported_at) AS at FROM intents i
    WHERE checkout_id = ANY (${[...checkoutIds]}) AND reported_at IS NOT NULL AND settled_at IS NULL
      AND NOT is_found_unpaid(i)
    GROUP BY checkout_id`
  return new Map(found.map(({ id, at }) => [id, at]))
}

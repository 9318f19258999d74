import type { Minor } from '@malipo/kernel/money'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'

/** One receipt, as the provider's statement and the journal have it. */
export interface DayReceipt {
  readonly receipt: string
  readonly providerMinor: Minor | null
  readonly journalMinor: Minor | null
  readonly at: Date
  readonly checkoutId: string | null
  readonly intentId: string | null
}

/**
 * Lists the receipts of a day. A provider without a statement has only those of the journal: it is asked about each
 * payment.
 */
export async function listDayReceipts(
  db: Database,
  given: {
    readonly provider: string
    readonly from: Date
    readonly until: Date
    readonly afterReceipt: string | undefined
    readonly limit: number
  },
): Promise<DayReceipt[]> {
  const { provider, from, until, afterReceipt, limit } = given
  return db.$queryRaw<DayReceipt[]>`
    WITH stated AS (
      SELECT receipt, minor, paid_at FROM statement_rows
      WHERE provider = ${provider} AND paid_at >= ${from} AND paid_at < ${until}
    ), posted AS (
      SELECT split_part(event_key, ':', 3) AS receipt, sum(minor)::bigint AS minor, min(event_at) AS at FROM transfers
      WHERE event_key LIKE 'receipt:' || ${provider} || ':%' AND event_at >= ${from} AND event_at < ${until} GROUP BY 1
    ), both_sides AS (
      SELECT coalesce(s.receipt, p.receipt) AS receipt, s.minor AS provider_minor, coalesce(p.minor, (
          SELECT sum(t.minor)::bigint FROM transfers t WHERE t.event_key = 'receipt:' || ${provider} || ':' || s.receipt
        )) AS journal_minor, coalesce(s.paid_at, p.at) AS at
      FROM stated s FULL JOIN posted p ON p.receipt = s.receipt
    ), placed AS (
      SELECT b.*, provider_minor IS DISTINCT FROM journal_minor AS is_differing FROM both_sides b
    ), after AS (
      SELECT is_differing, receipt FROM placed WHERE receipt = ${afterReceipt ?? null}
    )
    SELECT p.receipt, p.provider_minor AS "providerMinor", p.journal_minor AS "journalMinor", p.at,
      i.checkout_id AS "checkoutId", i.id AS "intentId"
    FROM placed p
    LEFT JOIN LATERAL (
      SELECT one.id, one.checkout_id FROM intents one
      WHERE one.receipt = p.receipt AND ${Prisma.raw(providerOfRail('one.rail'))} = ${provider} LIMIT 1
    ) i ON true
    WHERE NOT EXISTS (SELECT FROM after a WHERE (NOT p.is_differing, p.receipt) <= (NOT a.is_differing, a.receipt))
    ORDER BY NOT p.is_differing, p.receipt LIMIT ${limit}::int`
}

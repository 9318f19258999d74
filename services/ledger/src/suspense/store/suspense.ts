import type { Minor } from '@malipo/kernel/money'
import type { Database } from '../../database/database'
import type { RefundSender } from '../../refunds/rules/state'

export interface SuspenseItem {
  readonly subject: string
  readonly reason: string
  readonly minor: Minor
  readonly openedAt: Date
  readonly checkoutId: string | null
  readonly refundId: string | null
  readonly refundSentBy: RefundSender | null
  readonly placementId: string | null
  /** How many items there are in all, and (`totalMinor`) their sum. */
  readonly total: number
  readonly totalMinor: Minor
}

export async function listSuspense(db: Database, limit: number): Promise<SuspenseItem[]> {
  return db.$queryRaw<SuspenseItem[]>`
    SELECT o.subject, o.reason, o.minor, o.opened_at AS "openedAt", i.checkout_id AS "checkoutId", r.id AS "refundId",
      r.sent_by AS "refundSentBy", p.id AS "placementId",
      (count(*) OVER ())::int AS total, (sum(o.minor) OVER ())::bigint AS "totalMinor"
    FROM open_suspense() o
    LEFT JOIN intents i ON i.id = o.intent_id
    LEFT JOIN refunds r ON r.provider || ':' || r.receipt = o.subject AND r.status NOT IN ('failed', 'withdrawn')
    LEFT JOIN placements p ON p.subject = o.subject AND p.status = 'asked'
    ORDER BY o.opened_at, o.subject LIMIT ${limit}`
}

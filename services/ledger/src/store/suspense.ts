import type { Minor } from '@malipo/kernel/money'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface SuspenseItem {
  readonly subject: string
  readonly reason: string
  readonly minor: Minor
  readonly openedAt: Date
  readonly checkoutId: string | null
  readonly refundId: string | null
  /** How many there are in all, and what they come to. */
  readonly total: number
  readonly totalMinor: Minor
}

/** What lies in suspense, the oldest first. */
export async function listSuspense(db: Database, limit: number): Promise<SuspenseItem[]> {
  return db.$queryRaw<SuspenseItem[]>`
    SELECT o.subject, o.reason, o.minor, o.opened_at AS "openedAt", i.checkout_id AS "checkoutId", r.id AS "refundId",
      (count(*) OVER ())::int AS total, (sum(o.minor) OVER ())::bigint AS "totalMinor"
    FROM open_suspense() o
    LEFT JOIN intents i ON i.id = o.intent_id
    LEFT JOIN refunds r ON r.provider || ':' || r.receipt = o.subject AND r.status NOT IN ('failed', 'withdrawn')
    ORDER BY o.opened_at, o.subject LIMIT ${limit}`
}

export type PlaceOutcome =
  | 'placed'
  | 'not_in_suspense'
  | 'refund_underway'
  | 'checkout_not_found'
  | 'wallet_not_open'
  | 'checkout_paid'
  | 'amount_differs'
  | 'still_unconfirmed'

export interface Placing {
  readonly subject: string
  readonly checkoutId: string | undefined
  readonly accountId: string | undefined
  readonly operator: string
  readonly note: string
  readonly newIntentId: string
}

/** Gives held money to its owner, once. */
export async function placeSuspense(
  db: Database,
  placing: Placing,
): Promise<{ readonly outcome: PlaceOutcome; readonly intentId: string | null }> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: PlaceOutcome; intentId: string | null }]>`
      SELECT outcome, intent_id AS "intentId" FROM place_suspense(
        p_subject => ${placing.subject}, p_checkout_id => ${placing.checkoutId},
        p_account_id => ${placing.accountId}, p_operator => ${placing.operator}, p_note => ${placing.note},
        p_new_intent_id => ${placing.newIntentId}
      )`,
  )
  return rows[0]
}

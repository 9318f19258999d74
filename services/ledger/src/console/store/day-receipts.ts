import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'
import {
  boundsOf,
  type ReceiptFacts,
  statementReadUntil,
} from '../../statements/rules/reconciliation'
import { isNotable, knownReceipts, loadReads } from '../../statements/store/load-receipts'

/** One receipt, with the facts of both sides. */
export interface DayReceipt extends ReceiptFacts {
  readonly receipt: string
  readonly at: Date
  readonly checkoutId: string | null
  readonly intentId: string | null
}

/** Lists the receipts of a day: first those that may differ, then those that are not known of yet, then all others. */
export async function listDayReceipts(
  db: Database,
  given: {
    readonly day: string
    readonly provider: string
    readonly afterReceipt: string | undefined
    readonly limit: number
  },
): Promise<DayReceipt[]> {
  const { day, provider, afterReceipt, limit } = given
  const { from, until } = boundsOf(day)
  const readUntil = statementReadUntil(await loadReads(db, { at: from }), { provider, from, until })
  return db.$queryRaw<DayReceipt[]>`
    ${knownReceipts({ from, until, sides: [{ provider, readUntil, until }] })}, placed AS (
      SELECT k.*, CASE WHEN NOT ${isNotable} THEN 2 WHEN unread AND source = 'journal' THEN 1 ELSE 0 END AS place FROM known k
    ), after AS (
      SELECT place, receipt FROM placed WHERE receipt = ${afterReceipt ?? null}
    )
    SELECT p.receipt, p.at, i.checkout_id AS "checkoutId", i.id AS "intentId", source, answered AS "isAnswered",
      frozen AS "isFrozen", back AS "isGivenBack", unread AS "isUnread", stated AS "statedMinor", posted AS "postedMinor"
    FROM placed p
    LEFT JOIN LATERAL (
      SELECT one.id, one.checkout_id FROM intents one
      WHERE one.receipt = p.receipt AND ${Prisma.raw(providerOfRail('one.rail'))} = ${provider} LIMIT 1
    ) i ON true
    WHERE NOT EXISTS (SELECT FROM after a WHERE (p.place, p.receipt) <= (a.place, a.receipt))
    ORDER BY p.place, p.receipt LIMIT ${limit}::int`
}

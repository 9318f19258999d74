import { Prisma } from '../../database/generated/client'
import { micros } from '../../database/transaction'
import type { Instant } from '../../evidence/rules/state'
import { providerOfRail } from '../../journal/store/receipts'
import {
  boundsOf,
  type ReceiptFacts,
  statementReadUntil,
} from '../../statements/rules/reconciliation'
import { type Slice, slicesOf } from '../../statements/rules/slices'
import {
  isNotable,
  knownReceipts,
  loadReads,
  type Reader,
} from '../../statements/store/load-receipts'

export interface DayReceipt extends ReceiptFacts {
  readonly receipt: string
  readonly at: Date
  readonly checkoutId: string | null
  readonly intentId: string | null
}

interface DayReceiptsQuestion {
  readonly day: string
  readonly provider: string
  readonly afterReceipt: string | undefined
  readonly limit: number
}

/** The receipts of one hour that may differ or that the statement may still show; or else all others of that hour. */
interface Part {
  readonly slice: Slice
  readonly isNotable: boolean
}

interface Place {
  readonly at: Instant
  readonly place: number
  readonly receipt: string
}

/**
 * SQL of the order within an hour: first those that may differ, then those of the journal that the statement may still
 * show, then all others.
 */
const place = Prisma.sql`CASE WHEN NOT ${isNotable} THEN 2 WHEN unread AND source = 'journal' THEN 1 ELSE 0 END`

/**
 * Lists the receipts of a day: first, hour by hour, those that may differ or that the statement may still show, then
 * all others. A page reads hour by hour, because an SQL statement may take two seconds, and stops at the hour that
 * fills it.
 */
export async function listDayReceipts(
  db: Reader,
  { day, provider, afterReceipt, limit }: DayReceiptsQuestion,
): Promise<DayReceipt[]> {
  const { from, until } = boundsOf(day)
  const reads = await loadReads(db, { at: from, until })
  const readUntil = statementReadUntil(reads, { provider, from, until })
  const slices = slicesOf(from, [{ provider, readUntil, until }])
  const parts = [true, false].flatMap((one) => slices.map((slice) => ({ slice, isNotable: one })))
  const after = await findPlace(db, slices, { provider, receipt: afterReceipt })
  const isBefore = ({ slice, isNotable: isFirst }: Part) =>
    after && (isFirst === after.place < 2 ? slice.until <= after.at : isFirst)
  const found: DayReceipt[] = []
  for (const part of parts.filter((one) => !isBefore(one))) {
    found.push(...(await listPart(db, part, { provider, after, limit: limit - found.length })))
    if (found.length === limit) break
  }
  return found
}

/** Lists the receipts of a part that come after a place. Of a part of a later hour, that is all of them. */
async function listPart(
  db: Reader,
  part: Part,
  given: { readonly provider: string; readonly limit: number; readonly after: Place | undefined },
): Promise<DayReceipt[]> {
  const { provider, limit, after } = given
  const isAfter =
    after && part.slice.from <= after.at
      ? Prisma.sql`(place, receipt) > (${after.place}::int, ${after.receipt})`
      : Prisma.sql`true`
  return db.$queryRaw<DayReceipt[]>`
    ${knownReceipts(part.slice)}, page AS (
      SELECT * FROM (SELECT known.*, ${place} AS place FROM known WHERE ${isNotable} = ${part.isNotable}) placed
      WHERE ${isAfter} ORDER BY place, receipt LIMIT ${limit}::int
    )
    SELECT p.receipt, p.at, i.checkout_id AS "checkoutId", i.id AS "intentId", source, answered AS "isAnswered",
      frozen AS "isFrozen", back AS "isGivenBack", unread AS "isUnread", stated AS "statedMinor", posted AS "postedMinor"
    FROM page p
    LEFT JOIN LATERAL (
      SELECT one.id, one.checkout_id FROM intents one
      WHERE one.receipt = p.receipt AND ${Prisma.raw(providerOfRail('one.rail'))} = ${provider} LIMIT 1
    ) i ON true
    ORDER BY p.place, p.receipt`
}

/** Finds the place of a receipt in the list; undefined for a receipt that the day does not have. */
async function findPlace(
  db: Reader,
  slices: readonly Slice[],
  { provider, receipt }: { readonly provider: string; readonly receipt: string | undefined },
): Promise<Place | undefined> {
  if (receipt === undefined) return undefined
  const [{ at }] = await db.$queryRaw<[{ at: Instant | null }]>`
    SELECT ${Prisma.raw(micros('dated.at'))} AS at FROM (SELECT coalesce(
      (SELECT s.paid_at FROM statement_rows s WHERE s.provider = ${provider} AND s.receipt = ${receipt}),
      (SELECT min(t.event_at) FROM transfers t WHERE t.event_key = 'receipt:' || ${provider} || ':' || ${receipt})
    ) AS at) dated`
  const slice = at === null ? undefined : slices.find(({ from, until }) => from <= at && at < until)
  if (at === null || slice === undefined) return undefined
  const [found] = await db.$queryRaw<{ place: number }[]>`
    ${knownReceipts({ ...slice, from: at, until: at + 1 })} SELECT ${place} AS place FROM known WHERE receipt = ${receipt}`
  return found && { at, receipt, place: found.place }
}

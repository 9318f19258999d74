import type { Minor } from '@malipo/kernel/money'
import { followUp, type KeptReport } from '../rules/payment-report'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { keptFacts } from './list-reports'

/** A payment that a provider has reported, and whose money is not in the journal. */
export interface UnpostedReport {
  readonly intentId: string
  readonly provider: string
  /** Empty where the report names none. */
  readonly receipt: string
  readonly minor: Minor
}

interface Row extends KeptReport, UnpostedReport {
  readonly isElsewhere: boolean
}

const pageMax = 1_000

/**
 * Removes the reports whose money the journal has by now, and returns those that have waited too long for their money,
 * each once. The reports are read in pages, without locks: a posting never goes away, and a report that evidence marks
 * meanwhile as naming the receipt of another payment (`is_elsewhere`) is left for the next round.
 */
export async function alarmUnpostedReports(db: Database): Promise<UnpostedReport[]> {
  const alarmed: UnpostedReport[] = []
  let last: Pick<Row, 'intentId' | 'receipt'> = { intentId: '', receipt: '' }
  for (;;) {
    const page = await loadPage(db, last)
    const due = page.map((row) => ({ row, what: followUp(row) }))
    const [removed, listed, late] = (['remove', 'list_by_intent', 'alarm'] as const).map((what) =>
      due.filter((one) => one.what === what).map(({ row }) => row),
    )
    if (removed?.length) await remove(db, removed)
    if (listed?.length) await listByIntent(db, listed)
    if (late?.length) alarmed.push(...(await noteAlarmed(db, late)))
    const next = page.at(-1)
    if (next === undefined || page.length < pageMax) return alarmed
    last = next
  }
}

/** Reads the next reports in the order of the primary key, so that each page is a stretch of its index. */
async function loadPage(
  db: Database,
  { intentId, receipt }: Pick<Row, 'intentId' | 'receipt'>,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT r.intent_id AS "intentId", r.provider, r.receipt, r.minor, r.alarmed_at IS NOT NULL AS "isAlarmed",
      extract(epoch FROM clock_timestamp() - r.reported_at)::float8 AS "ageSeconds", ${keptFacts},
      r.is_elsewhere AS "isElsewhere",
      r.is_elsewhere AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.next_action_at IS NOT NULL) AS "isWatched"
    FROM payment_reports r WHERE (r.intent_id, r.receipt) > (${intentId}, ${receipt})
    ORDER BY r.intent_id, r.receipt LIMIT ${pageMax}`
}

async function remove(db: Database, rows: readonly Row[]): Promise<void> {
  await db.$executeRaw`DELETE FROM payment_reports r USING ${keysOf(rows)} WHERE ${isKey}`
}

/** Makes each report wait for the money of its intent from now on, and no longer for its receipt. */
async function listByIntent(db: Database, rows: readonly Row[]): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_reports r SET is_elsewhere = true FROM ${keysOf(rows)} WHERE ${isKey}`
}

/** Marks the reports as alerted, and returns them. Of two ledgers at the same moment only one marks a report and alerts. */
async function noteAlarmed(db: Database, rows: readonly Row[]): Promise<UnpostedReport[]> {
  return db.$queryRaw<UnpostedReport[]>`
    UPDATE payment_reports r SET alarmed_at = clock_timestamp() FROM ${keysOf(rows)}
    WHERE ${isKey} AND r.alarmed_at IS NULL
    RETURNING r.intent_id AS "intentId", r.provider, r.receipt, r.minor`
}

/** Matches a report only while it is as it was judged. */
const isKey = Prisma.sql`
  r.intent_id = k.intent_id AND r.receipt = k.receipt AND r.is_elsewhere = k.is_elsewhere`

function keysOf(rows: readonly Row[]): Prisma.Sql {
  const intentIds = rows.map(({ intentId }) => intentId)
  const receipts = rows.map(({ receipt }) => receipt)
  const areElsewhere = rows.map(({ isElsewhere }) => isElsewhere)
  return Prisma.sql`unnest(${intentIds}::text[], ${receipts}::text[], ${areElsewhere}::boolean[])
    k (intent_id, receipt, is_elsewhere)`
}

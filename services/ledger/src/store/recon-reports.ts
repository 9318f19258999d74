import type { Minor } from '@malipo/kernel/money'
import type { Database } from './database'

/** The provider's word against the journal, of one day and one provider. */
export interface ReconReport {
  /** `2026-11-20`, in East African Time. */
  readonly day: string
  readonly provider: string
  readonly madeAt: Date
  readonly providerReceipts: number
  readonly providerMinor: Minor
  readonly journalReceipts: number
  readonly journalMinor: Minor
  readonly refundedMinor: Minor
  readonly floatMinor: Minor
  readonly differenceMinor: Minor
  readonly differing: readonly string[]
  /** Until when the provider's word is known without a gap, at most the end of the day. */
  readonly readUntil: Date
  readonly unknownReceipts: number
  readonly unknownMinor: Minor
  /** Its word is known to the end of the day, or to a quarter of an hour ago. */
  readonly isRead: boolean
}

/** Makes the report of a day, and keeps it. */
export async function reconcileDay(db: Database, day: string): Promise<ReconReport[]> {
  return db.$queryRaw<ReconReport[]>`
    SELECT day::text, provider, made_at AS "madeAt", provider_receipts AS "providerReceipts",
      provider_minor AS "providerMinor", journal_receipts AS "journalReceipts", journal_minor AS "journalMinor",
      refunded_minor AS "refundedMinor", float_minor AS "floatMinor", difference_minor AS "differenceMinor", differing,
      read_until AS "readUntil", unknown_receipts AS "unknownReceipts", unknown_minor AS "unknownMinor",
      read_until >= least(
        (day + 1)::timestamp AT TIME ZONE 'Africa/Nairobi', clock_timestamp() - interval '15 minutes'
      ) AS "isRead"
    FROM reconcile_day(p_day => ${day}::date) ORDER BY provider`
}

/** Makes the report of yesterday once, and answers what its providers differ in, if it was made now. */
export async function reconcileYesterday(
  db: Database,
): Promise<Pick<ReconReport, 'provider' | 'differenceMinor' | 'readUntil' | 'unknownMinor'>[]> {
  return db.$queryRaw`
    SELECT provider, difference_minor AS "differenceMinor", read_until AS "readUntil", unknown_minor AS "unknownMinor"
    FROM reconcile_yesterday()`
}

/** What the two sides differ in over two days, and how long ago M-Pesa's statement was last read, in seconds. */
export async function readDifference(
  db: Database,
): Promise<{ readonly recon_diff_minor: number; readonly statement_age_s: number }> {
  const [row] = await db.$queryRaw<[{ recon_diff_minor: number; statement_age_s: number }]>`
    SELECT recent_difference() AS recon_diff_minor, age_seconds(max(read_at)) AS statement_age_s
    FROM statement_reads`
  return row
}

/** How far M-Pesa's statement is behind, in seconds; since the ledger began where it was never read. */
export async function readStatementLag(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ lag_seconds: number }]>`
    SELECT age_seconds(coalesce((SELECT max(until_at) FROM statement_reads), created_at)) AS lag_seconds
    FROM deployment`
  return row.lag_seconds
}

/** What a provider has reported as paid, and the journal has not. */
export interface UnpostedReport {
  readonly intentId: string
  readonly provider: string
  /** Empty where the report names none. */
  readonly receipt: string
  readonly minor: Minor
}

/** The reports of payment that have waited ten minutes for their receipt: each is answered once. */
export async function alarmUnpostedReports(db: Database): Promise<UnpostedReport[]> {
  return db.$queryRaw<UnpostedReport[]>`
    SELECT intent_id AS "intentId", provider, receipt, minor FROM alarm_unposted_reports()`
}

import type { Instant } from '../../evidence/rules/state'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import type { ReconReport } from '../../statements/store/recon-reports'
import { micros } from '../../database/transaction'

/** A stored report. `made` and `read` are times in microseconds, as the rules use them. */
export interface KeptReport extends Omit<ReconReport, 'isRead' | 'readUntil'> {
  readonly made: Instant
  readonly readUntil: Date | null
  readonly read: Instant | null
}

/** The newest report of each day and provider, newest day first. */
export async function listKeptReports(db: Database, limit: number): Promise<KeptReport[]> {
  return db.$queryRaw<KeptReport[]>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, provider, made_at AS "madeAt", provider_receipts AS "providerReceipts",
      provider_minor AS "providerMinor", journal_receipts AS "journalReceipts", journal_minor AS "journalMinor",
      refunded_minor AS "refundedMinor", float_minor AS "floatMinor", difference_minor AS "differenceMinor", differing,
      read_until AS "readUntil", unknown_receipts AS "unknownReceipts", unknown_minor AS "unknownMinor",
      ${Prisma.raw(micros('made_at'))} AS made, ${Prisma.raw(micros('read_until'))} AS read
    FROM (
      SELECT DISTINCT ON (day, provider) * FROM recon_reports ORDER BY day DESC, provider, made_at DESC LIMIT ${limit}::int
    ) newest`
}

import type { Minor } from '@malipo/kernel/money'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface PaymentReport {
  readonly subject: string
  readonly isSigned: boolean
  readonly intentId: string | null
  readonly checkoutId: string | null
  readonly minor: Minor
  readonly reportedAt: Date
  readonly closingId: string | null
  /** How many there are in all, of the signed or of the unsigned. */
  readonly total: number
}

export type ReportClosingOutcome =
  | 'asked'
  | 'closed'
  | 'withdrawn'
  | 'needs_another'
  | 'report_not_found'
  | 'report_posted'
  | 'report_closed'
  | 'closing_underway'
  | 'closing_not_found'
  | 'closing_decided'

/** What was reported as paid and is in no journal: at most so many signed and so many unsigned reports. */
export async function listReports(db: Database, limit: number): Promise<PaymentReport[]> {
  return db.$queryRaw<PaymentReport[]>`
    SELECT subject, is_signed AS "isSigned", intent_id AS "intentId", checkout_id AS "checkoutId", minor,
      reported_at AS "reportedAt", closing_id AS "closingId", total
    FROM list_reports(${limit}::int)`
}

/** Asks to close a report as false. */
export async function askReportClosing(
  db: Database,
  asked: {
    readonly closingId: string
    readonly subject: string
    readonly operator: string
    readonly note: string
  },
): Promise<ReportClosingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: ReportClosingOutcome }]>`
      SELECT ask_report_closing(
        p_closing_id => ${asked.closingId}, p_subject => ${asked.subject},
        p_operator => ${asked.operator}, p_note => ${asked.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}

export async function decideReportClosing(
  db: Database,
  decision: {
    readonly closingId: string
    readonly isAgreed: boolean
    readonly operator: string
    readonly note: string
  },
): Promise<ReportClosingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: ReportClosingOutcome }]>`
      SELECT decide_report_closing(
        p_closing_id => ${decision.closingId}, p_is_agreed => ${decision.isAgreed},
        p_operator => ${decision.operator}, p_note => ${decision.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}

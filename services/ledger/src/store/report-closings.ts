import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import type { Decision } from '../domain/refunds/decide-by-hand'
import {
  askReportClosing as decideAsking,
  type AskReportClosingOutcome,
  decideReportClosing as decide,
  type DecideReportClosingOutcome,
  type ReportClosingRequest,
  type ReportClosingState,
  type ReportState,
} from '../domain/report-closings/decide-report-closing'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'
import { inTransaction, Stale, type Statement } from './settlement/transaction'

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

/** What was reported as paid and is in no journal: at most so many signed and so many unsigned reports. */
export async function listReports(db: Database, limit: number): Promise<PaymentReport[]> {
  return db.$queryRaw<PaymentReport[]>`
    SELECT subject, is_signed AS "isSigned", intent_id AS "intentId", checkout_id AS "checkoutId", minor,
      reported_at AS "reportedAt", closing_id AS "closingId", total
    FROM list_reports(${limit}::int)`
}

const loadReport: Statement = {
  name: 'load_report_to_close',
  text: `
    SELECT is_report_posted($1) AS "isPosted",
      (SELECT c.status FROM report_closings c WHERE c.subject = $1 AND c.status <> 'withdrawn') AS closing,
      EXISTS (
        SELECT FROM unposted_reports() u WHERE report_subject(u.provider, u.receipt, u.intent_id) = $1
      ) OR EXISTS (
        SELECT FROM unposted_pay_bill_reports(interval '7 days') u WHERE 'mpesa:' || u.receipt = $1
      ) AS "isListed"`,
}

const saveAsked: Statement = {
  name: 'save_asked_report_closing',
  text: `
    WITH asked AS (
      INSERT INTO report_closings (id, subject, status, asked_by, asked_at)
      VALUES ($1, $2, 'asked', $3, clock_timestamp())
      ON CONFLICT (subject) WHERE status IN ('asked', 'closed') DO NOTHING
      RETURNING 1
    )
    SELECT note_action($3, $4, $2, $5) FROM asked`,
}

interface ReportRow extends Omit<ReportState, 'closing'> {
  readonly closing: 'asked' | 'closed' | null
}

/** Asks to close a report as false. A report has one closing that is open or agreed to. */
export async function askReportClosing(
  pool: Pool,
  request: ReportClosingRequest,
): Promise<AskReportClosingOutcome> {
  const { closingId, subject } = request
  return retryLostRaces(() =>
    inTransaction(pool, async (transaction) => {
      const [row] = await transaction.query<ReportRow>(loadReport, [subject])
      if (row === undefined) throw new Error(`the report ${subject} was not loaded`)
      const state = { ...row, closing: row.closing ?? undefined }
      const { applied, action } = decideAsking(state, request)
      if (action !== undefined) {
        const { operator, did, note } = action
        const values = [closingId, subject, operator, did, note]
        const saved = await transaction.query(saveAsked, values)
        if (saved.length !== 1) throw new Stale('another closing of the report was first')
      }
      return applied
    }),
  )
}

const loadClosing: Statement = {
  name: 'load_report_closing',
  text: `
    SELECT subject, status, asked_by AS "askedBy", is_report_posted(subject) AS "isPosted"
    FROM report_closings WHERE id = $1`,
}

/** Decides the closing $1 while it is asked for. */
const saveDecided: Statement = {
  name: 'save_decided_report_closing',
  text: `
    WITH decided AS (
      UPDATE report_closings SET status = $2, decided_by = $3, decided_at = clock_timestamp()
      WHERE id = $1 AND status = 'asked'
      RETURNING 1
    )
    SELECT note_action($3, $4, $5, $6) FROM decided`,
}

/** Closes a report as another operator asked for, or withdraws that. */
export async function decideReportClosing(
  pool: Pool,
  { closingId, ...decision }: Decision & { readonly closingId: string },
): Promise<DecideReportClosingOutcome> {
  return retryLostRaces(() =>
    inTransaction(pool, async (transaction) => {
      const [state] = await transaction.query<ReportClosingState>(loadClosing, [closingId])
      const { applied, writes } = decide(state, decision)
      if (writes !== undefined) {
        const { operator, did, subject, note } = writes.action
        const values = [closingId, writes.status, operator, did, subject, note]
        const saved = await transaction.query(saveDecided, values)
        if (saved.length !== 1) throw new Stale('another operator decided the closing first')
      }
      return applied
    }),
  )
}

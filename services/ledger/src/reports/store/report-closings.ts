import type { Pool } from 'pg'
import type { Decision } from '../../refunds/rules/decide-by-hand'
import {
  askReportClosing as decideAsking,
  type AskReportClosingOutcome,
  decideReportClosing as decide,
  type DecideReportClosingOutcome,
  type ReportClosingRequest,
  type ReportClosingState,
  type ReportState,
} from '../rules/decide-report-closing'
import {
  isPosted as isReportPosted,
  isReceipt,
  overdueAfterSeconds,
  payBillListedSeconds,
} from '../rules/payment-report'
import { awaitedReceipt, isPostedForAll } from './list-reports'
import { inRetriedTransaction, Stale, type Statement } from '../../database/transaction'

/** SQL of the facts by which `isPosted` decides whether the money of the report `subject` is in the journal. */
function postedFacts(subject: string): string {
  return `${isPostedForAll(subject)} AS "isReceiptPosted",
      EXISTS (SELECT FROM intents i WHERE i.id = ${subject} AND i.settled_at IS NOT NULL) AS "isIntentSettled"`
}

interface PostedFacts {
  readonly isReceiptPosted: boolean
  readonly isIntentSettled: boolean
}

/**
 * Loads the report $1. It is listed once it is $2 seconds old; one from the Pay Bill menu only until it is $3 seconds
 * old.
 */
const loadReport: Statement = {
  name: 'load_report_to_close',
  text: `
    SELECT ${postedFacts('$1::text')},
      (SELECT c.status FROM report_closings c WHERE c.subject = $1 AND c.status <> 'withdrawn') AS closing,
      EXISTS (
        SELECT FROM payment_reports r WHERE r.reported_at < (SELECT clock_timestamp()) - make_interval(secs => $2)
          AND CASE ${awaitedReceipt} WHEN '' THEN r.intent_id ELSE r.provider || ':' || r.receipt END = $1
      ) OR EXISTS (
        SELECT FROM pay_bill_reports r WHERE r.receipt = substr($1, 7) AND starts_with($1, 'mpesa:')
          AND r.reported_at BETWEEN (SELECT clock_timestamp()) - make_interval(secs => $3)
            AND (SELECT clock_timestamp()) - make_interval(secs => $2)
      ) AS "isListed"`,
}

const saveRequest: Statement = {
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

interface ReportRow extends PostedFacts, Pick<ReportState, 'isListed'> {
  readonly closing: 'asked' | 'closed' | null
}

/** Asks to close a report as false. A report has one closing that is open or agreed to. */
export async function askReportClosing(
  pool: Pool,
  request: ReportClosingRequest,
): Promise<AskReportClosingOutcome> {
  const { closingId, subject } = request
  return inRetriedTransaction(pool, async (transaction) => {
    const [row] = await transaction.query<ReportRow>(loadReport, [
      ...[subject, overdueAfterSeconds, payBillListedSeconds],
    ])
    if (row === undefined) throw new Error(`the report ${subject} was not loaded`)
    const { isListed, closing, ...facts } = row
    const isPosted = isReportPosted({ ...facts, hasReceipt: isReceipt(subject) })
    const state = { isListed, isPosted, closing: closing ?? undefined }
    const { outcome, action } = decideAsking(state, request)
    if (action !== undefined) {
      const { operator, did, note } = action
      const values = [closingId, subject, operator, did, note]
      const saved = await transaction.query(saveRequest, values)
      if (saved.length !== 1) throw new Stale('another closing of the report was first')
    }
    return outcome
  })
}

const loadClosing: Statement = {
  name: 'load_report_closing',
  text: `
    SELECT subject, status, asked_by AS "askedBy", ${postedFacts('subject')} FROM report_closings WHERE id = $1`,
}

type ClosingRow = Omit<ReportClosingState, 'isPosted'> & PostedFacts

function closingOf({
  isReceiptPosted,
  isIntentSettled,
  ...closing
}: ClosingRow): ReportClosingState {
  const hasReceipt = isReceipt(closing.subject)
  const isPosted = isReportPosted({ hasReceipt, isReceiptPosted, isIntentSettled })
  return { ...closing, isPosted }
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

export async function decideReportClosing(
  pool: Pool,
  { closingId, ...decision }: Decision & { readonly closingId: string },
): Promise<DecideReportClosingOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const [row] = await transaction.query<ClosingRow>(loadClosing, [closingId])
    const { outcome, writes } = decide(row && closingOf(row), decision)
    if (writes !== undefined) {
      const { operator, did, subject, note } = writes.action
      const values = [closingId, writes.status, operator, did, subject, note]
      const saved = await transaction.query(saveDecided, values)
      if (saved.length !== 1) throw new Stale('another operator decided the closing first')
    }
    return outcome
  })
}

import { areTwoOperators } from '../../operators/rules/operator'
import type { Act, Decision } from '../../refunds/rules/decide-by-hand'
import type { OperatorAction } from '../../refunds/rules/state'

/** What is known of a report of payment that an operator asks to close. */
export interface ReportState {
  /** The report waits for its receipt, and is on the list of reports. */
  readonly isListed: boolean
  /** Its money is in the journal. */
  readonly isPosted: boolean
  /** Whether a closing of the report is asked for or agreed to. */
  readonly closing: 'asked' | 'closed' | undefined
}

export interface ReportClosingRequest extends Act {
  readonly closingId: string
  /** The receipt, as `mpesa:QK12345678`; the intent of a report that names no receipt. */
  readonly subject: string
}

export type AskReportClosingOutcome =
  | 'asked'
  | 'report_not_found'
  | 'report_posted'
  | 'report_closed'
  | 'closing_underway'

export interface AskReportClosingDecided {
  readonly outcome: AskReportClosingOutcome
  /** The action is absent where nothing is asked for. */
  readonly action?: OperatorAction
}

/** Asks to close a report of payment as false. Nothing changes until another operator agrees. */
export function askReportClosing(
  { isListed, isPosted, closing }: ReportState,
  { subject, operator, note }: ReportClosingRequest,
): AskReportClosingDecided {
  if (closing === 'closed') return { outcome: 'report_closed' }
  if (isPosted) return { outcome: 'report_posted' }
  if (!isListed) return { outcome: 'report_not_found' }
  if (closing === 'asked') return { outcome: 'closing_underway' }
  return { outcome: 'asked', action: { operator, did: 'report_closing_asked', subject, note } }
}

export interface ReportClosingState {
  readonly subject: string
  readonly status: 'asked' | 'closed' | 'withdrawn'
  readonly askedBy: string
  /** The money of the report is in the journal. */
  readonly isPosted: boolean
}

export type DecideReportClosingOutcome =
  | 'closed'
  | 'withdrawn'
  | 'needs_another'
  | 'report_posted'
  | 'closing_not_found'
  | 'closing_decided'

export interface ReportClosingDecided {
  readonly outcome: DecideReportClosingOutcome
  /** Absent where nothing changes. */
  readonly writes?: { readonly status: 'closed' | 'withdrawn'; readonly action: OperatorAction }
}

/**
 * Closes a report as another operator asked for, or withdraws the request. The operator who asked may only withdraw.
 */
export function decideReportClosing(
  state: ReportClosingState | undefined,
  { isAgreed, operator, note }: Decision,
): ReportClosingDecided {
  if (state === undefined) return { outcome: 'closing_not_found' }
  const { subject, status, askedBy, isPosted } = state
  if (status !== 'asked') return { outcome: 'closing_decided' }
  if (!isAgreed) {
    const action = { operator, did: 'report_closing_withdrawn', subject, note }
    return { outcome: 'withdrawn', writes: { status: 'withdrawn', action } }
  }
  if (!areTwoOperators(askedBy, operator)) return { outcome: 'needs_another' }
  // The money came after the closing was asked for, so the report was true.
  if (isPosted) return { outcome: 'report_posted' }
  const action = { operator, did: 'report_closed', subject, note }
  return { outcome: 'closed', writes: { status: 'closed', action } }
}

import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { IntentStatus } from './intent'
import { isClosed, type ReportFacts } from '../../reports/rules/payment-report'

export interface Payment {
  readonly intentId: string
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  /** Undefined where the payer gave none, as by card. */
  readonly phone: string | undefined
  readonly rail: Rail
  readonly cause: FailureCause | undefined
}

/** A stored attempt to pay, with what other tables have of its messages and reports of payment. */
export interface AttemptFacts extends Payment {
  /** The event of its last status change. */
  readonly event: string
  readonly startedAt: Date
  readonly isEnded: boolean
  readonly settledAt: Date | undefined
  /** Where its money went: `merchant`, `suspense_…`, or out of suspense again. */
  readonly disposition: string | undefined
  /** The provider answered our own query with "paid", without a receipt. */
  readonly isReceiptWanted: boolean
  /** When the provider first reported it as paid. */
  readonly reportedAt: Date | undefined
  /** The reports of its payment; none are loaded for an attempt that is settled, or was never reported as paid. */
  readonly reports: readonly ReportClosing[]
  /**
   * The attempt has failed, and a callback that passed every check reported it as declined, or a hint did. A hint that
   * is neither bound to the attempt nor signed does not count.
   */
  readonly isDeclinedByCallback: boolean
  /** The account reference that the prompt shows on the phone. Undefined where no phone is prompted. */
  readonly attemptReference: string | undefined
  /** When it began to wait for another prompt on its phone. */
  readonly queuedAt: Date | undefined
  readonly submittedAt: Date | undefined
  readonly deadlineAt: Date | undefined
  /** The provider's answer to the push was lost. */
  readonly isPushUnanswered: boolean
}

type ReportClosing = Pick<ReportFacts, 'hasReceipt' | 'isReceiptClosed' | 'isIntentClosed'>

export interface Attempt extends Omit<Payment, 'settledMinor' | 'receipt'> {
  readonly startedAt: Date
  /** The prompt of an attempt in flight on a phone. */
  readonly prompt?: OpenPrompt | undefined
  /** When the provider reported it as paid; undefined unless that report waits to be confirmed. */
  readonly reportedAt: Date | undefined
}

/** What a payer has to know of a prompt that is on its way, or on the phone. */
export interface OpenPrompt {
  /** The account reference that the prompt shows on the phone. */
  readonly attemptReference: string
  /** Another prompt is open on the phone, or is to be sent first. This prompt is sent after that one, or given up. */
  readonly isQueued: boolean
  /** When the provider was asked to send it. */
  readonly sentAt: Date | undefined
  /** When the attempt expires if no result comes before. */
  readonly deadlineAt: Date | undefined
  /** The provider's answer to the push is not known: the prompt may come to the phone, or never. */
  readonly isUnanswered: boolean
}

export function paymentOf(attempt: AttemptFacts): Payment {
  const { intentId, status, settledMinor, receipt, phone, rail, cause } = attempt
  return { intentId, status, settledMinor, receipt, phone, rail, cause }
}

export function attemptOf(attempt: AttemptFacts): Attempt {
  const { intentId, status, rail, phone, cause, startedAt } = attempt
  return {
    ...{ intentId, status, rail, phone, cause, startedAt },
    prompt: openPromptOf(attempt),
    reportedAt: openReportOf(attempt),
  }
}

function openPromptOf(attempt: AttemptFacts): OpenPrompt | undefined {
  const { status, attemptReference, deadlineAt } = attempt
  if (attemptReference === undefined || attempt.isEnded) return undefined
  return {
    attemptReference,
    isQueued: status === 'reserved' && attempt.queuedAt !== undefined,
    sentAt: attempt.submittedAt,
    deadlineAt,
    isUnanswered: status === 'submitted' && attempt.isPushUnanswered,
  }
}

/** When the attempt was reported as paid; undefined once it is settled or found unpaid. */
export function openReportOf(attempt: AttemptFacts): Date | undefined {
  const isOpen = attempt.settledAt === undefined && !isFoundUnpaid(attempt)
  return isOpen ? attempt.reportedAt : undefined
}

/**
 * Whether two operators closed every report of payment about an unsettled attempt. An answer to our own query that says
 * "paid" outweighs a closing.
 */
export function isFoundUnpaid(attempt: AttemptFacts): boolean {
  const { reportedAt, settledAt, isReceiptWanted, reports } = attempt
  if (reportedAt === undefined || settledAt !== undefined || isReceiptWanted) return false
  return reports.length > 0 && reports.every(isClosed)
}

/** Whether money of the attempt is held, or may still arrive without another prompt. */
export function mayHavePaid(attempt: AttemptFacts): boolean {
  if (attempt.status === 'completed') return attempt.disposition?.startsWith('suspense_') ?? false
  const isReported = attempt.reportedAt !== undefined && attempt.settledAt === undefined
  const mayArrive = attempt.cause === 'unconfirmed' || (isReported && attempt.isEnded)
  return mayArrive && !isFoundUnpaid(attempt)
}

/**
 * Whether only answers to our own queries say that a prompt was not paid. Such answers have been wrong about payments that
 * went through, unlike callbacks from a known address and callbacks that a query confirmed.
 */
export function isDeniedByAnswers(attempt: AttemptFacts): boolean {
  const { status, event, rail } = attempt
  const isDeclinedPrompt = status === 'failed' && event === 'declined' && !asksByPage(rail)
  return isDeclinedPrompt && !attempt.isDeclinedByCallback
}

export interface AttemptsSummary {
  /** Attempts that ended without money. */
  readonly failedAttempts: number
  /** Money of one attempt is held, or may still arrive: a payer who pays again may pay twice. */
  readonly mayHavePaid: boolean
  /** One attempt was reported as paid, and two operators found that it was not. */
  readonly isFoundUnpaid: boolean
  /** The rail of the newest attempt that status answers alone ended as not paid. Such answers have been wrong. */
  readonly deniedRail: Rail | undefined
}

/** Expects the attempts in the order in which they began. */
export function summarize(attempts: readonly AttemptFacts[]): AttemptsSummary {
  return {
    failedAttempts: attempts.filter(({ status }) => status === 'failed' || status === 'expired')
      .length,
    mayHavePaid: attempts.some(mayHavePaid),
    isFoundUnpaid: attempts.some(isFoundUnpaid),
    deniedRail: attempts.findLast(isDeniedByAnswers)?.rail,
  }
}

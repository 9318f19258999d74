import type { Minor } from '@malipo/kernel/money'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import { receiptShapes } from '@malipo/kernel/receipt-shapes'
import {
  dispositionOf,
  feeMinorOf,
  type Requested,
  requestedMinorOf,
} from '../../evidence/rules/elsewhere'
import { settleIntent } from '../../evidence/rules/settle-receipt'
import type { EvidenceState, Instant, Writes } from '../../evidence/rules/state'
import { intentMachine } from '../../intents/rules/intent'
import { areTwoOperators } from '../../operators/rules/operator'
import type { Act, Decision } from '../../refunds/rules/decide-by-hand'
import type { OperatorAction } from '../../refunds/rules/state'
import { noteEvent } from '../../webhooks/rules/payment-event'

/** What an operator saw in the provider's portal. */
interface Seen {
  readonly receipt: string
  readonly minor: Minor
}

/** An attempt whose money an operator asks to post, and what is known of the receipt. */
export interface PostingState extends Requested, Pick<EvidenceState, 'payeeAccountId'> {
  readonly now: Instant
  /** A report of payment is kept for the attempt, and overdue. */
  readonly isReported: boolean
  readonly isReceiptPosted: boolean
  /** The other payments for which the receipt was reported, each as the list of the receipts whose money it has. */
  readonly reportedFor: readonly (readonly string[])[]
  /** The receipts reported for the attempt that the journal has for another payment. */
  readonly elsewhere: readonly string[]
  /** Another posting of the attempt is asked for. */
  readonly isUnderway: boolean
}

export interface ReportPostingRequest extends Act, Seen {
  readonly postingId: string
  readonly intentId: string
}

type Refusal =
  | 'report_not_found'
  | 'report_posted'
  | 'receipt_malformed'
  | 'amount_not_asked'
  | 'receipt_posted'
  | 'receipt_elsewhere'

export type AskReportPostingOutcome = 'asked' | 'posting_underway' | Refusal

/**
 * Whether a receipt has the shape of its rail. The receipt of a card also has to begin with the id of this attempt.
 */
function isReceiptOf({ id, rail }: Requested['intent'], receipt: string): boolean {
  return receiptShapes[rail].test(receipt) && (!asksByPage(rail) || receipt.startsWith(`${id}-`))
}

/** Why the money is not posted; undefined if it may be. A closed report may be posted, as its money was found after all. */
function refusalOf(state: PostingState, { receipt, minor }: Seen): Refusal | undefined {
  const { intent } = state
  if (intent.settledAt !== null) return 'report_posted'
  if (!state.isReported || intentMachine[intent.status].confirmed === null) {
    return 'report_not_found'
  }
  if (!isReceiptOf(intent, receipt)) return 'receipt_malformed'
  if (minor !== requestedMinorOf(state)) return 'amount_not_asked'
  if (state.isReceiptPosted) return 'receipt_posted'
  return isElsewhere(state) ? 'receipt_elsewhere' : undefined
}

/**
 * Whether the receipt belongs to another payment that it was reported for. It does not where the receipts of two
 * payments were swapped: then the other payment has the money of a receipt that was reported for this attempt, and
 * this attempt may be posted by the receipt of the other.
 */
function isElsewhere({ reportedFor, elsewhere }: PostingState): boolean {
  return reportedFor.some((receipts) => !receipts.some((receipt) => elsewhere.includes(receipt)))
}

/** Asks to post money that the provider has and the journal has not. Nothing changes until another operator agrees. */
export function askReportPosting(
  state: PostingState | undefined,
  { intentId: subject, operator, note, ...seen }: ReportPostingRequest,
): { readonly outcome: AskReportPostingOutcome; readonly action?: OperatorAction } {
  if (state === undefined) return { outcome: 'report_not_found' }
  const refusal = refusalOf(state, seen)
  if (refusal !== undefined) return { outcome: refusal }
  if (state.isUnderway) return { outcome: 'posting_underway' }
  return { outcome: 'asked', action: { operator, did: 'report_posting_asked', subject, note } }
}

/** A posting, as read under its lock. */
export interface ReportPosting extends Seen {
  readonly id: string
  readonly intentId: string
  readonly status: 'asked' | 'posted' | 'withdrawn'
  readonly askedBy: string
}

export type DecideReportPostingOutcome =
  | 'posted'
  | 'withdrawn'
  | 'needs_another'
  | 'posting_decided'
  | Refusal

export interface ReportPostingDecided {
  readonly outcome: DecideReportPostingOutcome
  /** Absent where nothing changes. */
  readonly writes?: {
    readonly status: 'posted' | 'withdrawn'
    readonly action: OperatorAction
    /** Absent where the posting is withdrawn. */
    readonly settlement?: Writes
  }
}

/**
 * Posts the money of an attempt as another operator asked for, by the rule that settles evidence, or withdraws the
 * request. The operator who asked may only withdraw.
 */
export function decideReportPosting(
  state: PostingState,
  posting: ReportPosting,
  { isAgreed, operator, note, messageId }: Decision & { readonly messageId: string },
): ReportPostingDecided {
  const { intentId: subject, status, askedBy } = posting
  if (status !== 'asked') return { outcome: 'posting_decided' }
  if (!isAgreed) {
    const action = { operator, did: 'report_posting_withdrawn', subject, note }
    return { outcome: 'withdrawn', writes: { status: 'withdrawn', action } }
  }
  if (!areTwoOperators(askedBy, operator)) return { outcome: 'needs_another' }
  const refusal = refusalOf(state, posting)
  if (refusal !== undefined) return { outcome: refusal }
  const action = { operator, did: 'report_posted', subject, note }
  const settlement = settlementOf(state, posting, messageId)
  return { outcome: 'posted', writes: { status: 'posted', action, settlement } }
}

/** Settles the attempt as a provider's answer with this receipt would: two operators read it in the provider's portal. */
function settlementOf(state: PostingState, { receipt, minor }: Seen, messageId: string): Writes {
  const { intent, now, payeeAccountId: accountId, isCheckoutPaid } = state
  const disposition = dispositionOf(state, minor)
  const money = { receipt, minor, paidAt: null, disposition, accountId, now, rail: intent.rail }
  // The attempt has no money yet, so it takes this money, and the id for a new attempt (the last argument) is not used.
  const settled = settleIntent(intent, { ...money, feeMinor: feeMinorOf(state) }, intent.id)
  const after = settled.intent ?? intent
  return {
    ...settled,
    message: { id: messageId, fact: 'receipt', strength: 'E4', result: 'settled', receipt },
    paymentEvent: noteEvent(intent.checkoutId, { before: intent, after, isCheckoutPaid }),
  }
}

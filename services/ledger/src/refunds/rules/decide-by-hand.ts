import { conflict } from '@malipo/kernel/machine'
import { areTwoOperators } from '../../operators/rules/operator'
import { refundMachine } from './refund'
import { giveBack } from './give-back'
import {
  type Refund,
  type RefundDecided,
  type RefundEnd,
  type RefundState,
  subjectOf,
} from './state'

export interface Act {
  readonly operator: string
  readonly note: string
}

export type Decision = Act & { readonly isAgreed: boolean }

export type DecideRefundOutcome =
  | 'approved'
  | 'paid'
  | 'withdrawn'
  | 'refund_decided'
  | 'needs_another'

/** Agrees to a refund, or withdraws it. The operator who asked may only withdraw. */
export function decideRefund(
  state: RefundState,
  { isAgreed, operator, note }: Decision,
): RefundDecided<DecideRefundOutcome> {
  const { refund, now } = state
  const status = decisionOf(refund, isAgreed)
  if (status === conflict) return { applied: 'refund_decided' }
  if (isAgreed && !areTwoOperators(refund.askedBy, operator)) return { applied: 'needs_another' }
  const decided: Refund = {
    ...{ ...refund, status, decidedBy: operator, decidedAt: now },
    endedAt: status === 'approved' ? null : now,
    nextActionAt: status === 'approved' ? now : null,
  }
  const did = isAgreed ? 'refund_approved' : 'refund_withdrawn'
  return {
    applied: status,
    writes: {
      ...moved(state, decided),
      action: { operator, did, subject: subjectOf(refund), note },
    },
  }
}

/** The status after a decision. A refund that the provider has made already is paid when agreed to, and is not sent. */
function decisionOf({ status, sentBy }: Refund, isAgreed: boolean) {
  const cells = refundMachine[status]
  const decision = cells[isAgreed ? 'agreed' : 'withdrawn']
  if (decision === conflict || decision === status) return conflict
  return isAgreed && sentBy === 'provider' ? cells.confirmed : decision
}

export type AskClosingOutcome = 'asked' | 'not_sent_or_decided' | 'still_asked' | 'closing_underway'

/** Asks to close by hand a refund that is no longer queried. Nothing moves until another operator agrees. */
export function askRefundClosing(
  { refund }: RefundState,
  { end, operator, note }: Act & { readonly end: RefundEnd },
): RefundDecided<AskClosingOutcome> {
  if (refund.status !== 'submitted') return { applied: 'not_sent_or_decided' }
  if (refund.nextActionAt !== null) return { applied: 'still_asked' }
  if (refund.closing !== null) return { applied: 'closing_underway' }
  const subject = subjectOf(refund)
  return {
    applied: 'asked',
    writes: {
      ...{ transfers: [], intents: [] },
      refunds: [{ ...refund, closing: end, closingAskedBy: operator }],
      action: { operator, did: 'closing_asked', subject, note: `${end}: ${note}` },
    },
  }
}

export type DecideClosingOutcome =
  | RefundEnd
  | 'withdrawn'
  | 'no_closing'
  | 'needs_another'
  | 'provider_decided'
  | 'closing_changed'

/** Agrees to a closing, as `end`, that another operator asked for, or withdraws it. */
export function decideRefundClosing(
  state: RefundState,
  { isAgreed, end, operator, note }: Decision & { readonly end: RefundEnd | undefined },
): RefundDecided<DecideClosingOutcome> {
  const { refund, now } = state
  const { closing } = refund
  if (closing === null || refund.closedBy !== null) return { applied: 'no_closing' }
  const subject = subjectOf(refund)
  if (!isAgreed) {
    const open: Refund = { ...refund, closing: null, closingAskedBy: null }
    const action = { operator, did: 'closing_withdrawn', subject, note }
    return { applied: 'withdrawn', writes: { ...moved(state, open), action } }
  }
  if (!areTwoOperators(refund.closingAskedBy, operator)) return { applied: 'needs_another' }
  // The provider has reported the end since the closing was asked for.
  if (refund.status !== 'submitted') return { applied: 'provider_decided' }
  // It was withdrawn and asked for anew since this operator read it.
  if (closing !== end) return { applied: 'closing_changed' }
  const status = refundMachine.submitted[closing === 'paid' ? 'confirmed' : 'declined']
  const closed: Refund = { ...refund, status, endedAt: now, closedBy: operator }
  const action = { operator, did: 'closing_approved', subject, note }
  return { applied: status, writes: { ...moved(state, closed), action } }
}

/** The writes for a refund that changes, with those of the money where it becomes paid. */
function moved(state: RefundState, refund: Refund) {
  const isPaid = refund.status === 'paid' && state.refund.status !== 'paid'
  return {
    refunds: [refund],
    ...(isPaid ? giveBack(state) : { transfers: [], intents: [] }),
  }
}

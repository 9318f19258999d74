import { conflict } from '@malipo/kernel/machine'
import type { EvidenceResult, MessageKind, Strength } from '../../evidence/rules/evidence'
import {
  type RefundEffect,
  refundEffectOf,
  type RefundEvent,
  refundMachine,
  refundQueryAfterSeconds,
  type RefundReport,
  type RefundStrength,
  standingOf,
  stillPaidAfterSeconds,
  yesAfterNoOf,
} from './refund'
import { isCalledBack } from './decide-storing'
import { type Fact, later } from '../../evidence/rules/state'
import { giveBack } from './give-back'
import type { Refund, RefundDecided, RefundState, RefundWrites } from './state'

export interface AppliedToRefund {
  readonly result: EvidenceResult
  readonly kind: MessageKind
  readonly strength: Strength | null
}

type MessageState = RefundState & { readonly message: NonNullable<RefundState['message']> }

/** Decides what one message about a refund does. For a message that was applied before it returns the earlier result. */
export function decideRefundMessage(
  state: MessageState,
  fact: Fact,
): RefundDecided<AppliedToRefund> {
  const { message } = state
  const { id, kind } = message
  if (message.result !== null) {
    return { applied: { kind, result: message.result, strength: message.strength } }
  }
  const strength = strengthOf(state, fact)
  const effect = refundEffectOf[strength][reportOf(state, fact)]
  const { result, writes } = perform[effect](state, fact)
  return {
    applied: { result, kind, strength },
    writes: {
      ...{ refunds: [], transfers: [], intents: [], ...writes },
      message: { id, fact: fact.kind, strength, result, receipt: null },
    },
  }
}

/** A "no" by callback has to name our request. Where the answer with its id was lost, a "no" only makes a query due. */
function strengthOf({ refund, message }: MessageState, fact: Fact): RefundStrength {
  const { amountMinor, providerRequestId = null } = fact
  const isOfAmount = amountMinor === undefined || amountMinor === refund.minor
  const isOfRequest =
    message.kind !== 'callback' ||
    (refund.providerRequestId === null
      ? fact.kind !== 'declined'
      : providerRequestId === refund.providerRequestId)
  return message.isSourceKnown && isOfAmount && isOfRequest ? 'E3' : 'E2'
}

function reportOf({ refund, message }: MessageState, fact: Fact): RefundReport {
  switch (fact.kind) {
    case 'receipt':
    case 'paid':
      return message.kind === 'query_answer' ? reportByReceipt(refund, fact) : 'refunded'
    case 'declined':
      return 'refused'
    case 'not_found':
    case 'undecided':
      return 'undecided'
    case 'unreadable':
      return 'unreadable'
  }
}

/** What the answer to a query reports, by the receipt that it names. */
function reportByReceipt(refund: Refund, { receipt, paymentStands }: Fact): RefundReport {
  // The answer is about the payment itself, which is as it was. `paymentStands` says so where the receipts differ:
  // operators may have posted a card payment under another step than its order shows.
  if (paymentStands === true || receipt === refund.receipt) return 'payment_stands'
  // M-Pesa was asked by the receipt of the payment, so an answer that names another one is about another payment.
  const isByReceipt = refund.providerRequestId === null && isCalledBack(refund.provider)
  return receipt !== undefined && isByReceipt ? 'undecided' : 'refunded'
}

interface Outcome {
  readonly result: EvidenceResult
  readonly writes?: Partial<Omit<RefundWrites, 'message' | 'action'>>
}

const kept: Outcome = { result: 'kept' }

const perform: Readonly<Record<RefundEffect, (state: MessageState, fact: Fact) => Outcome>> = {
  confirm: (state, fact) => end(state, 'confirmed', fact),
  decline: (state, fact) => end(state, 'declined', fact),
  evaluate_standing: (state, fact) => {
    const { submittedAt } = state.refund
    // The time at which the answer came counts: it may be applied much later.
    const { receivedAt } = state.message
    const isLate = submittedAt !== null && receivedAt > later(submittedAt, stillPaidAfterSeconds)
    return perform[standingOf[isLate ? 'late' : 'early']](state, fact)
  },
  ask: askSoon,
  keep: () => kept,
  park: () => ({ result: 'parked' }),
}

/**
 * Makes a query due in a minute, unless one is due by then: not at once, because the last query may have been just now.
 * The answer to a query makes none due, because another answer would say the same.
 */
function askSoon({ refund, message, now }: MessageState): Outcome {
  const { status, nextActionAt } = refund
  const soon = later(now, refundQueryAfterSeconds)
  const isAsked = nextActionAt === null || nextActionAt <= soon
  if (status !== 'submitted' || isAsked || message.kind === 'query_answer') return kept
  return { result: 'kept', writes: { refunds: [{ ...refund, nextActionAt: soon }] } }
}

function end(state: MessageState, event: RefundEvent, { providerCode }: Fact): Outcome {
  const { refund, others, now } = state
  const status = refundMachine[refund.status][event]
  if (status === refund.status) return kept
  if (status === conflict) return { result: 'contradiction' }
  const isYesAfterNo = status === 'paid' && refund.status === 'failed'
  const rivals = isYesAfterNo ? others : []
  // The money may have gone back twice, which is for operators to find out.
  if (rivals.some((other) => yesAfterNoOf[other.status] === 'contradict')) {
    return { result: 'contradiction' }
  }
  const ended: Refund = {
    ...{ ...refund, status, endedAt: now, nextActionAt: null },
    providerCode: providerCode ?? refund.providerCode,
  }
  if (status !== 'paid') return { result: 'failed', writes: { refunds: [ended] } }
  const withdrawn = rivals.filter((other) => yesAfterNoOf[other.status] === 'withdraw')
  return {
    result: 'settled',
    writes: { refunds: [ended], withdrawn: withdrawn.map(({ id }) => id), ...giveBack(state) },
  }
}

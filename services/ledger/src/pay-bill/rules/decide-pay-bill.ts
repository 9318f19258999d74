import { askedMinorOf } from '../../intents/rules/decide-start'
import { callbackReceiptOf, type Effect, effectOf, strengthOf } from '../../evidence/rules/evidence'
import { noteEvent } from '../../webhooks/rules/payment-event'
import type { Disposition } from '../../journal/rules/postings'
import {
  placeOf,
  type Received,
  settleIntent,
  settleUnrequested,
} from '../../evidence/rules/settle-receipt'
import { type Applied, type Decided, later, type Writes } from '../../evidence/rules/state'
import { contradict, isOfPrompt } from './contradict'
import type { PaidFact, PayBillCommand, PayBillFact, PayBillState } from './state'

/** Decides what one Pay Bill message does. For a message that was applied before it returns the earlier result. */
export function decidePayBill(state: PayBillState, command: PayBillCommand): Decided {
  const { message, wallet } = state
  const { fact } = command
  const status = state.intent?.status ?? null
  const before = { kind: message.kind, status, statusBefore: status }
  if (message.result !== null) {
    const { result, strength } = message
    return { applied: { ...before, result, strength, disposition: null } }
  }
  const { strength, effect } = evaluate(state, fact)
  const { result, disposition = null, writes } = perform(state, command, effect)
  const isOwned = result === 'settled' && wallet !== undefined
  const applied = {
    ...{ ...before, result, strength, disposition },
    status: isOwned ? ('completed' as const) : status,
  }
  return {
    applied,
    writes: {
      message: {
        ...{ id: message.id, fact: fact.kind, strength, result },
        receipt: effect === 'settle' && fact.kind === 'receipt' ? fact.receipt : null,
      },
      transfers: [],
      ...writes,
      wantedPayee: wantedPayee(applied, fact),
      paymentEvent: eventOf(state, writes),
    },
  }
}

function eventOf({ intent, checkout, isCheckoutPaid }: PayBillState, writes: Outcome['writes']) {
  const before = writes?.matched === undefined ? intent : undefined
  const after = writes?.matched ?? writes?.intent
  return after && noteEvent(checkout?.id ?? null, { before, after, isCheckoutPaid })
}

/**
 * The receipt whose payee has to be looked up again: its money is in suspense because the lookup failed. Money with an
 * intent was for a number of ours, which needs no lookup.
 */
function wantedPayee({ status, disposition }: Applied, fact: PayBillFact): string | undefined {
  const isWanted = fact.kind === 'receipt' && fact.isPayeeUnknown && status === null
  return isWanted && disposition === 'suspense_unmatched' ? fact.receipt : undefined
}

function evaluate(state: PayBillState, fact: PayBillFact) {
  const { kind, isSourceKnown } = state.message
  const strength = strengthOf(kind, {
    source: isSourceKnown ? 'right' : 'wrong',
    request: fact.kind === 'receipt' && fact.isSigned ? 'right' : 'wrong',
    // No payer was asked for this money, so no amount of it contradicts what we know.
    amount: 'right',
  })
  return {
    strength,
    effect: callbackReceipt(state, fact, effectOf[strength][fact.kind]),
  }
}

/**
 * Weakens the effect of some callbacks: a large payment waits for the statement even with our validation answer, and so
 * does a payment that another callback reported differently.
 */
function callbackReceipt(state: PayBillState, fact: PayBillFact, effect: Effect): Effect {
  const { kind } = state.message
  if (effect !== 'settle' || kind !== 'callback' || fact.kind !== 'receipt') return effect
  if (isUnplaced(state, fact)) return 'ask'
  const isLarge = fact.amountMinor > fact.unconfirmedMaxMinor || isContradicted(state, fact)
  return callbackReceiptOf[isLarge ? 'large' : 'small'].none
}

/**
 * A payment to a till that fits no checkout and no prompt may still be that of a prompt whose callback is on its way. If it
 * were posted now, it would lie in suspense.
 */
function isUnplaced({ intent, checkout }: PayBillState, { account }: PaidFact): boolean {
  return account === '' && intent === undefined && checkout === undefined
}

/** Whether an earlier callback named another amount or another checkout for the receipt: then one of the two is wrong. */
function isContradicted({ reports, checkout }: PayBillState, { amountMinor }: PaidFact): boolean {
  const checkoutId = checkout?.id ?? null
  return reports.some((one) => one.minor !== amountMinor || one.checkoutId !== checkoutId)
}

interface Outcome {
  readonly result: 'settled' | 'already_settled' | 'contradiction' | 'parked' | 'kept'
  readonly disposition?: Disposition
  readonly writes?: Partial<Omit<Writes, 'message'>>
}

/** Money that is not settled is kept, and `ask` also reports it: the statement will say whether the money is there. */
function perform(state: PayBillState, command: PayBillCommand, effect: Effect): Outcome {
  const { fact, newIntentId } = command
  if (effect === 'park') return { result: 'parked' }
  if (fact.kind !== 'receipt') return { result: 'kept' }
  if (effect === 'settle') {
    return contradict(state, fact) ?? settle(state, fact, newIntentId)
  }
  if (effect !== 'ask') return { result: 'kept' }
  const { receipt, amountMinor: minor } = fact
  const heldUntil = later(state.now, fact.holdSeconds)
  const checkoutId = state.checkout?.id ?? null
  const report = {
    messageId: command.messageId,
    receipt,
    checkoutId,
    minor,
    heldUntil,
  }
  return { result: 'kept', writes: { payBillReport: report } }
}

function settle(state: PayBillState, fact: PaidFact, newIntentId: string): Outcome {
  const { intent, wallet, postedMinor } = state
  if (postedMinor !== undefined) {
    return { result: postedMinor === fact.amountMinor ? 'already_settled' : 'contradiction' }
  }
  const disposition = dispositionOf(state, fact)
  const { receipt, amountMinor: minor, paidAt } = fact
  const money: Omit<Received, 'rail'> = {
    ...{ receipt, minor, feeMinor: 0n, disposition, now: state.now },
    paidAt: paidAt === undefined ? null : paidAt.getTime() * 1_000,
    accountId: wallet?.accountId ?? null,
    hasAccountNumber: fact.account !== '',
  }
  const writes =
    intent !== undefined && isOfPrompt(intent)
      ? settleIntent(intent, { ...money, rail: intent.rail }, newIntentId)
      : settleUnrequested(ownerOf(state, fact), { ...money, rail: 'paybill' }, newIntentId)
  return { result: 'settled', disposition, writes }
}

function dispositionOf(state: PayBillState, fact: PaidFact): Disposition {
  const { intent, checkout, wallet } = state
  if (wallet === undefined) return 'suspense_unmatched'
  const requestedMinor = requestedMinorOf(state, fact)
  const isIntentPaid = intent !== undefined && intent.settledAt !== null
  return placeOf({
    isPaid: checkout === undefined ? isIntentPaid : state.isCheckoutPaid,
    isExact:
      requestedMinor === undefined ? fact.isWithinLimits : fact.amountMinor === requestedMinor,
    wallet: wallet.state,
  })
}

/** The amount that an intent or a checkout asks for; undefined for a handle, whose payer chooses the amount. */
function requestedMinorOf({ intent, checkout }: PayBillState, { wholeMajorsOnly }: PaidFact) {
  if (intent !== undefined) return intent.askedMinor
  if (checkout === undefined) return undefined
  return askedMinorOf(checkout.amountMinor, wholeMajorsOnly)
}

function ownerOf(state: PayBillState, fact: PaidFact) {
  const { checkout, wallet } = state
  if (wallet === undefined) return undefined
  const askedMinor = requestedMinorOf(state, fact) ?? fact.amountMinor
  const request = { phone: fact.phone ?? null, askedMinor }
  if (checkout !== undefined) {
    const { id: checkoutId, amountMinor } = checkout
    return { ...request, checkoutId, amountMinor, accountId: null, handle: null }
  }
  const { amountMinor = fact.amountMinor } = state.intent ?? {}
  return {
    ...{ ...request, amountMinor, checkoutId: null, accountId: wallet.accountId },
    handle: handleOf(state, fact),
  }
}

function handleOf({ intent }: PayBillState, { payee }: PaidFact): string | null {
  return intent?.handle ?? payee?.handle ?? null
}

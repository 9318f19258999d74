import { asksByPrompt, railAbilities } from '@malipo/kernel/rail-abilities'
import type { Minor } from '@malipo/kernel/money'
import { askedMinorOf } from '../../intents/rules/decide-start'
import { callbackReceiptOf, type Effect, effectOf, strengthOf } from '../../evidence/rules/evidence'
import { intentMachine } from '../../intents/rules/intent'
import { noteEvent } from '../../webhooks/rules/payment-event'
import { type Disposition, providerOf, type WalletState } from '../../journal/rules/postings'
import {
  placeOf,
  type Received,
  settleIntent,
  settleUnrequested,
} from '../../evidence/rules/settle-receipt'
import {
  type Applied,
  type Decided,
  type Instant,
  type Intent,
  later,
  type Message,
  type NotedReport,
  type Writes,
} from '../../evidence/rules/state'

/** The payee that an account number names as a handle. */
export interface Payee {
  readonly accountId: string
  readonly handle: string
}

/** What a Pay Bill message says, or that its reader could not read it. */
export type PayBillFact = PaidFact | { readonly kind: 'unreadable' }

export interface PaidFact {
  readonly kind: 'receipt'
  readonly receipt: string
  readonly amountMinor: Minor
  readonly paidAt: Date | undefined
  /** What the payer typed, without case, spaces and dashes. Empty of a payment to a till, which asks for none. */
  readonly account: string
  readonly payee: Payee | undefined
  /** The lookup of the payee failed: there may be one. */
  readonly isPayeeUnknown: boolean
  readonly phone: string | undefined
  readonly isWithinLimits: boolean
  /** Our answer to the provider's validation came back as it must. */
  readonly isSigned: boolean
  /** A checkout asks its payer for whole shillings. */
  readonly wholeMajorsOnly: boolean
  /** How long it keeps a checkout open when it is no more than a report. */
  readonly holdSeconds: number
  /** The most that a callback settles before the statement confirms it. */
  readonly unconfirmedMaxMinor: bigint
}

export interface PayBillCommand {
  readonly messageId: string
  readonly fact: PayBillFact
  readonly newIntentId: string
}

/** All that a decision about Pay Bill money may depend on. */
export interface PayBillState {
  readonly now: Instant
  readonly message: Message
  /** The checkout that the account number stands for. */
  readonly checkout:
    | {
        readonly id: string
        readonly accountId: string
        readonly amountMinor: Minor
      }
    | undefined
  /** The intent whose reference the account number is. */
  readonly intent: Intent | undefined
  readonly wallet: { readonly accountId: string; readonly state: WalletState } | undefined
  readonly isCheckoutPaid: boolean
  /** Two operators have posted the money of the intent, by the receipt that they read in the provider's portal. */
  readonly isPostedByHand: boolean
  /** What the journal has for the receipt; undefined where it has none. */
  readonly postedMinor: Minor | undefined
  /** What callbacks have reported for the receipt. */
  readonly reports: readonly PayBillReport[]
}

/** A callback that posted nothing. */
export interface PayBillReport {
  readonly minor: Minor
  readonly checkoutId: string | null
}

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
  const before = writes?.born === undefined ? intent : undefined
  const after = writes?.born ?? writes?.intent
  return after && noteEvent(checkout?.id ?? null, { before, after, isCheckoutPaid })
}

/** Money in suspense whose payee could not be looked up. What has an intent was for a number of ours. */
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

/** A large payment waits for the statement, whatever the callback brings back; so does one that was reported differently. */
function callbackReceipt(state: PayBillState, fact: PayBillFact, effect: Effect): Effect {
  const { kind } = state.message
  if (effect !== 'settle' || kind !== 'callback' || fact.kind !== 'receipt') return effect
  if (isUnplaced(state, fact)) return 'ask'
  const isLarge = fact.amountMinor > fact.unconfirmedMaxMinor || isContradicted(state, fact)
  return callbackReceiptOf[isLarge ? 'large' : 'small'].none
}

/**
 * A payment to a till that names nothing may be that of a prompt, whose own callback is on its way: posted now, it would lie
 * in suspense.
 */
function isUnplaced({ intent, checkout }: PayBillState, { account }: PaidFact): boolean {
  return account === '' && intent === undefined && checkout === undefined
}

/** One of two callbacks about a receipt is wrong when they name another amount or another checkout. */
function isContradicted({ reports, checkout }: PayBillState, { amountMinor }: PaidFact): boolean {
  const checkoutId = checkout?.id ?? null
  return reports.some((one) => one.minor !== amountMinor || one.checkoutId !== checkoutId)
}

interface Outcome {
  readonly result: 'settled' | 'already_settled' | 'contradiction' | 'parked' | 'kept'
  readonly disposition?: Disposition
  readonly writes?: Partial<Omit<Writes, 'message'>>
}

/** What is weaker than a settlement is kept: the provider's statement will say whether the money is there. */
function perform(state: PayBillState, command: PayBillCommand, effect: Effect): Outcome {
  const { fact, newIntentId } = command
  if (effect === 'park') return { result: 'parked' }
  if (fact.kind !== 'receipt') return { result: 'kept' }
  if (effect === 'settle') {
    return contradictPosting(state, fact) ?? settle(state, fact, newIntentId)
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
  // A prompt's payment that is reported as this one belongs to its intent. A prompt that was never sent took no money,
  // so the payer has typed its reference.
  const isOfPrompt =
    intent !== undefined &&
    asksByPrompt(intent.rail) &&
    railAbilities[intent.rail].hasMenu &&
    intentMachine[intent.status].confirmed !== null
  const writes = isOfPrompt
    ? settleIntent(intent, { ...money, rail: intent.rail }, newIntentId)
    : settleUnrequested(ownerOf(state, fact), { ...money, rail: 'paybill' }, newIntentId)
  return { result: 'settled', disposition, writes }
}

/**
 * The payment of a prompt that operators have posted by hand, under another receipt: one of the two is wrong, and a second posting
 * would double the money, so it is listed for operators. Of another amount it is another payment, whose payer typed the
 * reference of the prompt.
 */
function contradictPosting(
  { intent, isPostedByHand, message, postedMinor }: PayBillState,
  { receipt, amountMinor: minor }: PaidFact,
): Outcome | undefined {
  if (intent === undefined || !isPostedByHand || postedMinor !== undefined) return undefined
  if (receipt === intent.receipt || minor !== intent.settledMinor) return undefined
  const strength = message.kind === 'callback' ? 'E3' : 'E4'
  const ids = { intentId: intent.id, messageId: message.id, provider: providerOf[intent.rail] }
  const named = {
    receipt,
    minor,
    strength,
    paidAt: null,
    requestId: null,
    isElsewhere: false,
  } as const
  const report: NotedReport = { ...ids, ...named }
  return { result: 'contradiction', writes: { report } }
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

/** What an intent or a checkout asks for; undefined of a handle, whose payer says how much. */
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

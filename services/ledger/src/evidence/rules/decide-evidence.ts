import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { Rail } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import { nextWatchAt } from '../../intents/rules/decide-begin-query'
import { intentMachine, type IntentStatus } from '../../intents/rules/intent'
import { noteEvent } from '../../webhooks/rules/payment-event'
import type { Disposition } from '../../journal/rules/postings'
import { type Effect, type EvidenceResult, callbackKindOf, type MessageKind } from './evidence'
import { dispositionOf, feeMinorOf, isProvenBy, standingOf } from './elsewhere'
import { type Evaluated, evaluate, isDeclinedForSure, isReport, noteReport } from './evaluate'
import { nameRequest } from './request-ids'
import {
  type EvidenceCommand,
  type EvidenceState,
  type EvidenceTerms,
  type Decided,
  type Instant,
  type Intent,
  later,
  type Writes,
} from './state'
import { settleIntent } from './settle-receipt'

/** The result of an effect: the result of the message, the status of the intent afterwards, and what is written. */
interface Outcome {
  readonly result: EvidenceResult
  readonly status?: IntentStatus
  readonly disposition?: Disposition
  readonly writes?: {
    readonly intent?: Intent | undefined
    readonly transfers?: Writes['transfers']
    readonly matched?: Writes['matched']
    readonly suspense?: Writes['suspense']
  }
}

/** Decides what one message about an intent does. For a message that was applied before it returns the earlier result. */
export function decideEvidence(
  state: EvidenceState,
  command: EvidenceCommand,
  terms: EvidenceTerms,
): Decided {
  const { message, intent } = state
  const before = {
    kind: message.kind,
    status: intent.status,
    statusBefore: intent.status,
  }
  if (message.result !== null) {
    const { result, strength } = message
    return { applied: { ...before, result, strength, disposition: null } }
  }
  const evaluated = evaluate(state, command.fact, terms)
  const { fact, strength, effect, receipt } = evaluated
  const named = nameRequest(state, command.fact, evaluated)
  const {
    result,
    status = intent.status,
    disposition = null,
    writes,
  } = perform[effect]({ ...state, intent: named }, evaluated, { ...command, ...terms })
  const changed = changeOf(intent, named, writes)
  return {
    applied: { ...before, status, result, strength, disposition },
    writes: {
      message: {
        ...{ id: message.id, fact, strength, result },
        receipt: effect === 'settle' ? (receipt ?? null) : null,
      },
      transfers: [],
      ...writes,
      ...changed,
      ...(isReport(state, command.fact, evaluated, result) &&
        noteReport({ ...state, intent, ...changed }, evaluated, terms)),
      paymentEvent: eventOf(state, writes),
    },
  }
}

/** The intent to write: one that an effect has changed, or to which the message gave the id of its prompt. */
function changeOf(
  before: Intent,
  named: Intent,
  writes: Outcome['writes'],
): { readonly intent?: Intent } {
  const intent = writes?.intent ?? (named === before ? undefined : named)
  return intent === undefined ? {} : { intent }
}

function eventOf({ intent, isCheckoutPaid }: EvidenceState, writes: Outcome['writes']) {
  const before = writes?.matched === undefined ? intent : undefined
  const after = writes?.matched ?? writes?.intent ?? intent
  return noteEvent(intent.checkoutId, { before, after, isCheckoutPaid })
}

type Perform = (
  state: EvidenceState,
  evaluated: Evaluated,
  given: EvidenceCommand & EvidenceTerms,
) => Outcome

const perform: Readonly<Record<Effect, Perform>> = {
  settle: (state, evaluated, { newIntentId }) => settle(state, evaluated, newIntentId),
  decline,
  contradict: () => ({ result: 'contradiction' }),
  park: () => ({ result: 'parked' }),
  await_receipt: ({ intent, now }) => kept(awaitReceipt(intent, now)),
  ask: ({ intent, now }, { strength }, { queryEverySeconds }) => {
    if (strength === 'E1') return kept(askOnce(intent, now) ?? askSeldom(intent, now))
    // The first report that passed every check makes a query due now, even where one was just sent.
    const isFirst = strength === 'E3' && intent.reportedAt === null
    return kept(askSoon(intent, now, isFirst ? 0 : queryEverySeconds))
  },
  wait: ({ intent }) => kept(intent.deniedAt === null ? undefined : { ...intent, ...undenied }),
  corroborate: ({ intent, now }, { denial }, { queryEverySeconds }) => {
    const denied = denial && { ...intent, ...denial }
    // The second answer is asked for at the usual pace, also where a hint has brought the first one early.
    const isAsked = denied !== undefined && intent.askedAt !== null
    return kept(isAsked ? (askSoon(denied, now, queryEverySeconds) ?? denied) : denied)
  },
  evaluate_absence: () => kept(undefined),
  keep: () => kept(undefined),
}

const undenied = { deniedCode: null, deniedAt: null }

function kept(intent: Intent | undefined): Outcome {
  return { result: 'kept', writes: { intent } }
}

function settle(state: EvidenceState, evaluated: Evaluated, newIntentId: string): Outcome {
  const { intent, now, payeeAccountId: accountId } = state
  const { receipt, minor, paidAt } = evaluated
  const status = intentMachine[intent.status].confirmed
  if (status === null) return { result: 'contradiction' }
  if (receipt === undefined || minor === undefined) {
    throw new Error(`the message ${state.message.id} settles and names no receipt or no amount`)
  }
  // A prompt brings one payment, so one of the two receipts is wrong, and a second posting would double the money.
  if (state.isPostedByHand && receipt !== intent.receipt) return { result: 'contradiction' }
  const named = { receipt, isPosted: state.isPosted, isProven: isProvenBy(evaluated) }
  const standing = standingOf(state, named, minor)
  if (standing === 'here') return { result: 'already_settled' }
  if (standing === 'elsewhere')
    return { result: isNoted(state, receipt) ? 'kept' : 'contradiction' }
  const disposition = dispositionOf(state, minor)
  const feeMinor = feeMinorOf(state)
  const money = {
    receipt,
    minor,
    paidAt,
    disposition,
    feeMinor,
    accountId,
    isUnmatched: standing === 'unmatched',
    now,
  }
  const writes = settleIntent(intent, { ...money, rail: intent.rail }, newIntentId)
  return { result: 'settled', status, disposition, writes }
}

/** Whether the contradiction was counted before: a watched intent gets the same row or answer many times. */
function isNoted({ reports }: EvidenceState, receipt: string): boolean {
  return reports.some((report) => report.receipt === receipt && report.isElsewhere)
}

/** Ends an intent without money, unless it has ended already. */
function decline(state: EvidenceState, evaluated: Evaluated): Outcome {
  const { intent, now } = state
  const { cause, providerCode } = evaluated
  const status = intentMachine[intent.status].declined
  if (status === null) return { result: 'contradiction' }
  const unwatched = { ...intent, nextActionAt: null, queryAt: null }
  // The intent has ended before. Now it is known that no money comes, so its watch ends.
  if (status === intent.status) {
    const isAnswer = intent.cause === 'unconfirmed' && isDeclinedForSure(state, evaluated)
    return kept(isAnswer ? { ...unwatched, cause, providerCode } : unwatched)
  }
  const ended = {
    status,
    event: 'declined',
    cause,
    providerCode,
    endedAt: now,
  } as const
  return {
    ...{ result: 'failed', status },
    writes: { intent: { ...unwatched, ...ended, deadlineAt: null } },
  }
}

/** Notes that the intent is paid, and makes a query for the receipt due at once, as this answer names none. */
function awaitReceipt(intent: Intent, now: Instant): Intent | undefined {
  if (intent.submittedAt === null || intent.settledAt !== null || intent.receiptWanted) return
  return {
    ...intent,
    ...undenied,
    receiptWanted: true,
    queryAt: now,
    nextActionAt: now,
  }
}

/** Makes a query due as soon as the usual pace of queries allows. */
function askSoon(intent: Intent, now: Instant, everySeconds: number): Intent | undefined {
  const { submittedAt, settledAt, askedAt, queryAt } = intent
  const soon = askedAt === null ? now : Math.max(now, later(askedAt, everySeconds))
  if (submittedAt === null || settledAt !== null || soon >= (queryAt ?? Infinity)) return undefined
  return { ...intent, queryAt: soon, nextActionAt: soon }
}

/** Makes the first status query due at once, and no later one: messages that may be made up can come without end. */
function askOnce(intent: Intent, now: Instant): Intent | undefined {
  return intent.askedAt === null && intent.queryAt !== null ? askSoon(intent, now, 0) : undefined
}

/** The first status query of any rail comes no later than this after its prompt. */
const firstQuerySeconds = Math.max(
  ...Object.values(promptTimes).map(({ queryAfterSeconds }) => queryAfterSeconds),
)

/** Makes a query due about an intent that is not watched any more, at the pace and for the 72 hours of a watch. */
function askSeldom(intent: Intent, now: Instant): Intent | undefined {
  const { submittedAt, settledAt, askedAt, queryAt } = intent
  // The provider refused the prompt of an ended intent that was never queried, so no money can have come.
  if (settledAt !== null || askedAt === null || queryAt !== null) return undefined
  const at = nextWatchAt({ now, submittedAt }, firstQuerySeconds)
  return at === null ? undefined : { ...intent, queryAt: at, nextActionAt: at }
}

/** How a message about an attempt came in. */
export interface Received {
  /** A hint is received as a callback: what a callback is worth depends on the attempt's rail. */
  readonly kind: Exclude<MessageKind, 'hint'>
  /** The sender gave a secret, as part of the callback address. */
  readonly hasSecret: boolean
}

export interface Stored {
  /** The value of the column `kind`. */
  readonly kind: MessageKind
  /** The message is stored only where the secret is that of the attempt. */
  readonly needsSecret: boolean
  /** A repeat of the message is counted and not stored again. Equal answers to queries are stored each time. */
  readonly isCounted: boolean
  /** The message is about this attempt and no other: by its secret, by our query, or by the order of a card. */
  readonly isBound: boolean
}

/**
 * The most messages of an attempt that are stored without being bound to it, give or take a batch. Anyone can make such a
 * message up, and each costs a row and a job. A provider sends two or three, and status queries do not depend on them.
 */
export const unboundPerIntentMax = 20

/**
 * Decides how a message about an attempt of a rail is stored. A callback with a secret is stored only where the secret is that
 * of the attempt. A callback without a secret is stored only if the callbacks of its rail are hints, because such a provider may
 * call one address for all attempts. A card callback is bound to its attempt without a secret, because its order names it.
 */
export function decideStoring(rail: Rail, { kind, hasSecret }: Received): Stored {
  if (kind !== 'callback') return { kind, needsSecret: false, isCounted: false, isBound: true }
  const stored = callbackKindOf[rail]
  return {
    kind: stored,
    needsSecret: hasSecret || stored !== 'hint',
    isCounted: true,
    isBound: hasSecret || asksByPage(rail),
  }
}

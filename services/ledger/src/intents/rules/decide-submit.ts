import type { MobileRail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { PromptTimes } from '@malipo/kernel/prompts'
import { conflict } from '@malipo/kernel/machine'
import { type PaymentEvent, paymentEventOf } from '../../webhooks/rules/payment-event'
import { type Instant, type Intent, later } from '../../evidence/rules/state'
import type { CheckoutPaid } from '../../journal/rules/postings'
import { type FirstQueryTerms, queryAfterSeconds } from './decide-begin-query'
import { type IntentEvent, intentMachine, type IntentStatus } from './intent'
import { queueSeconds } from './decide-start'

/** How an attempt asks its payer: by a prompt on a phone, or by the page of a card. */
export type Channel =
  | {
      readonly kind: 'prompt'
      readonly rail: MobileRail
      readonly phone: string
      /** The prompts of other attempts on the phone that have not ended and were not reported as paid. */
      readonly others: readonly SentPrompt[]
      /** The other attempts that wait to prompt the phone. */
      readonly waiting: readonly WaitingPrompt[]
    }
  | { readonly kind: 'page'; readonly expiresAt: Instant }

export interface SentPrompt {
  readonly rail: MobileRail
  /** When the provider accepted the prompt or, if that is not known, when the prompt was handed out to be sent. */
  readonly sentAt: Instant
}

export interface WaitingPrompt {
  readonly id: string
  readonly createdAt: Instant
  readonly deadlineAt: Instant | null
  readonly isCheckoutPaid: boolean
}

/** What a submission is decided on, as read under the locks. Only an attempt that is reserved can be submitted. */
export type BeginSubmitState =
  | Reserved
  | { readonly id: string; readonly status: Exclude<IntentStatus, 'reserved'> }

export interface Reserved extends WaitingPrompt {
  readonly now: Instant
  readonly status: 'reserved'
  readonly queuedAt: Instant | null
  readonly isWalletFrozen: boolean
  readonly channel: Channel
}

export interface BeginSubmitTerms extends FirstQueryTerms {
  /** When to query the provider, and when to give up, by rail. */
  readonly promptTimes: Readonly<Record<MobileRail, PromptTimes>>
  /** How long a prompt of a rail may be open on a phone. */
  readonly promptSeconds: Readonly<Record<MobileRail, number>>
}

/** The columns of an intent that a submission changes, with their new values. */
export interface SubmitWrite
  extends
    Pick<Intent, 'id' | 'status' | 'cause' | 'submittedAt'>,
    Pick<Intent, 'endedAt' | 'deadlineAt' | 'nextActionAt' | 'queryAt'> {
  readonly event: Extract<IntentEvent, 'reserved' | 'withheld' | 'submitted'>
  readonly queuedAt: Instant | null
}

export interface BegunSubmit {
  /** The caller, and no other, may send the prompt. */
  readonly isTaken: boolean
  readonly write: (SubmitWrite & { readonly paymentEvent: PaymentEvent | undefined }) | undefined
}

/** What happens to an attempt whose prompt a worker asks for. */
type Step = 'leave' | 'queue' | 'give_up' | 'withhold' | 'submit'

const writeOf: Readonly<
  Record<Step, (state: Reserved, terms: BeginSubmitTerms) => SubmitWrite | undefined>
> = {
  leave: () => undefined,
  queue,
  give_up: (state) => withhold(state, 'session_open'),
  withhold: (state) => withhold(state, 'not_started'),
  submit,
}

/**
 * Decides whether the prompt of an attempt is handed out to be sent. While another prompt is open on the phone, or an
 * earlier attempt may still prompt it, the attempt waits. A checkout that was paid since the start needs no prompt any
 * more, and a wallet that was frozen since takes no money.
 */
export function decideBeginSubmit(state: BeginSubmitState, terms: BeginSubmitTerms): BegunSubmit {
  if (state.status !== 'reserved') return { isTaken: false, write: undefined }
  const step = stepOf(state, terms)
  const write = writeOf[step](state, terms)
  return {
    isTaken: step === 'submit',
    write: write && { ...write, paymentEvent: eventOf(state, write) },
  }
}

function eventOf({ status, isCheckoutPaid }: Reserved, write: SubmitWrite) {
  const before = { status, disposition: null }
  const after = { status: write.status, disposition: null }
  return paymentEventOf({ before, after, isCheckoutPaid })
}

function stepOf(state: Reserved, terms: BeginSubmitTerms): Step {
  const { now, deadlineAt } = state
  const isOverdue = deadlineAt === null || deadlineAt <= now
  if (isPhoneBusy(state, terms) || isBehind(state)) {
    if (now >= giveUpAt(state)) return 'give_up'
    return isOverdue ? 'leave' : 'queue'
  }
  if (state.isCheckoutPaid || state.isWalletFrozen) return 'withhold'
  return isOverdue ? 'leave' : 'submit'
}

function isPhoneBusy({ now, channel }: Reserved, terms: BeginSubmitTerms): boolean {
  return (
    channel.kind === 'prompt' &&
    channel.others.some(({ rail, sentAt }) => later(sentAt, terms.promptSeconds[rail]) > now)
  )
}

/** Whether an earlier attempt may still prompt the phone: it is not overdue, its checkout is unpaid, and it is not given up. */
function isBehind({ now, id, createdAt, channel }: Reserved): boolean {
  return (
    channel.kind === 'prompt' &&
    channel.waiting.some((other) => {
      const isEarlier =
        other.createdAt < createdAt || (other.createdAt === createdAt && other.id < id)
      const isOverdue = other.deadlineAt === null || other.deadlineAt <= now
      return isEarlier && !isOverdue && !other.isCheckoutPaid && giveUpAt(other) > now
    })
  )
}

function giveUpAt({ createdAt }: Pick<Reserved, 'createdAt'>): Instant {
  return later(createdAt, queueSeconds)
}

/** A queued attempt expires this long after a worker should have given it up: it expires only if no worker runs. */
const expiryAfterGivingUpSeconds = 15

function queue(state: Reserved): SubmitWrite {
  const { id, now, status, queuedAt, deadlineAt } = state
  return {
    ...{ id, status, event: 'reserved', cause: null },
    ...{ submittedAt: null, endedAt: null, queryAt: null },
    queuedAt: queuedAt ?? now,
    nextActionAt: later(now, 1),
    deadlineAt: Math.max(deadlineAt ?? now, later(giveUpAt(state), expiryAfterGivingUpSeconds)),
  }
}

function withhold({ id, now, queuedAt }: Reserved, cause: FailureCause): SubmitWrite {
  return {
    ...{ id, status: intentMachine.reserved.withheld, event: 'withheld', cause, queuedAt },
    ...{ submittedAt: null, endedAt: now, deadlineAt: null, nextActionAt: null, queryAt: null },
  }
}

/** How long after the end of a card page the card gateway may take to report how it ended. */
const cardPageAnswerSeconds = 30

function submit(state: Reserved, terms: BeginSubmitTerms): SubmitWrite {
  const { id, now, queuedAt, channel } = state
  const rail = channel.kind === 'page' ? 'card' : channel.rail
  const queryAt = later(now, queryAfterSeconds(rail, terms))
  return {
    ...{ id, status: intentMachine.reserved.submitted, event: 'submitted', cause: null, queuedAt },
    ...{ submittedAt: now, endedAt: null, nextActionAt: queryAt, queryAt },
    deadlineAt:
      channel.kind === 'page'
        ? later(channel.expiresAt, cardPageAnswerSeconds)
        : later(now, terms.promptTimes[channel.rail].deadlineSeconds),
  }
}

/** How long a card page that closes at `expiresAt` is to be open, in whole seconds. */
export function cardLifeSeconds(now: Instant, expiresAt: Instant): number {
  return Math.ceil((expiresAt - now) / 1_000_000)
}

/** The page that the card gateway has opened. */
export interface OpenedCardSession {
  readonly sessionId: string
  /** What the browser of a payer who has paid brings back. */
  readonly successIndicator: string
}

/** How the call to the provider ended. */
export type SubmitEnd =
  | {
      readonly outcome: 'accepted'
      readonly providerRequestId: string | undefined
      /** The page that the card gateway opened; undefined for a prompt. */
      readonly opened: OpenedCardSession | undefined
    }
  | {
      readonly outcome: 'refused'
      readonly cause: FailureCause
      readonly providerCode: string | undefined
    }
  | { readonly outcome: 'not_sent'; readonly cause: FailureCause; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string }

/** The values of the column `outcome`. */
export type SubmitOutcome = SubmitEnd['outcome']

const eventOfOutcome = {
  accepted: 'acknowledged',
  refused: 'refused',
  not_sent: 'refused',
  unknown: undefined,
} as const satisfies Record<SubmitOutcome, IntentEvent | undefined>

export interface RecordedChange {
  /** Null where the attempt stays in its status, by the event that brought it there. */
  readonly event: IntentEvent | null
  /** The provider took no prompt, so the attempt is over, with the cause. Otherwise it keeps its cause and its times. */
  readonly isOver: boolean
  /** The event that is written, by whether an intent of the checkout has paid the merchant. */
  readonly paymentEvents: Readonly<Record<CheckoutPaid, PaymentEvent | undefined>>
}

export interface RecordedSubmit {
  /** The status of the attempt afterwards. */
  readonly status: IntentStatus
  /** The provider's answer contradicts the status of the attempt, or refuses a prompt that was reported as paid. */
  readonly isConflict: boolean
  /** Undefined where the attempt stays as it is. */
  readonly change: RecordedChange | undefined
}

/** What the end of a call is decided on. */
export interface Called {
  readonly status: IntentStatus
  /** The provider has reported "paid", or a report of payment is open. */
  readonly isReported: boolean
}

/**
 * Decides what the end of a call to the provider changes in an attempt. The answer may come after the callback, or
 * after the attempt has expired: the provider's id of the prompt is still stored, unless one is known. A "no" after a
 * report of payment ends nothing: it may be about a repeat of the call, while the prompt of the first was paid.
 */
export function decideRecordSubmit(
  { status, isReported }: Called,
  outcome: SubmitOutcome,
): RecordedSubmit {
  const event = eventOfOutcome[outcome]
  if (event === undefined) return { status, isConflict: false, change: undefined }
  const next = intentMachine[status][event]
  const isDenied = event === 'refused' && next !== status && isReported
  if (next === conflict || isDenied) return { status, isConflict: true, change: undefined }
  return { status: next, isConflict: false, change: changeOf({ status, next, event }) }
}

function changeOf({
  status,
  next,
  event,
}: {
  readonly status: IntentStatus
  readonly next: IntentStatus
  readonly event: 'acknowledged' | 'refused'
}): RecordedChange | undefined {
  const isMoved = next !== status
  const eventOf = (isCheckoutPaid: boolean) =>
    paymentEventOf({
      before: { status, disposition: null },
      after: { status: next, disposition: null },
      isCheckoutPaid,
    })
  const paymentEvents = { unpaid: eventOf(false), paid: eventOf(true) }
  if (event === 'acknowledged')
    return { event: isMoved ? event : null, isOver: false, paymentEvents }
  return isMoved ? { event, isOver: true, paymentEvents } : undefined
}

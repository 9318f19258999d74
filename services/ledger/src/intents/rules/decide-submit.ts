import type { MobileRail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { PromptTimes } from '@malipo/kernel/prompts'
import { type IntentEvent, intentMachine, type IntentStatus } from '../intent'
import { queueSeconds } from '../limits'
import { type PaymentEvent, paymentEventOf } from '../payment-event'
import { type Instant, later } from '../settlement/state'

/** How an attempt asks its payer: by a prompt on a phone, or by the page of a card. */
export type Channel =
  | {
      readonly kind: 'prompt'
      readonly rail: MobileRail
      readonly phone: string
      /** The prompts of other attempts on the phone that nothing has ended, and that were not reported as paid. */
      readonly others: readonly SentPrompt[]
      /** The other attempts that wait to prompt the phone. */
      readonly waiting: readonly WaitingPrompt[]
    }
  | { readonly kind: 'card'; readonly expiresAt: Instant }

export interface SentPrompt {
  readonly rail: MobileRail
  readonly submittedAt: Instant
}

export interface WaitingPrompt {
  readonly id: string
  readonly createdAt: Instant
  readonly deadlineAt: Instant | null
  readonly isCheckoutPaid: boolean
}

/** What a submission is decided on, as it was behind the locks. Only an attempt that is reserved can be submitted. */
export type BeginSubmitState =
  | Reserved
  | { readonly id: string; readonly status: Exclude<IntentStatus, 'reserved'> }

export interface Reserved {
  readonly now: Instant
  readonly id: string
  readonly status: 'reserved'
  readonly createdAt: Instant
  readonly deadlineAt: Instant | null
  readonly queuedAt: Instant | null
  readonly isCheckoutPaid: boolean
  readonly channel: Channel
}

export interface BeginSubmitTerms {
  /** When to ask, and when to give up, by rail. */
  readonly promptTimes: Readonly<Record<MobileRail, PromptTimes>>
  /** How long a prompt of a rail may be open on a phone. */
  readonly promptSeconds: Readonly<Record<MobileRail, number>>
  readonly cardQueryAfterSeconds: number
}

/** The columns of an intent that a submission changes, each with its value after it. */
export interface SubmitWrite {
  readonly id: string
  readonly status: IntentStatus
  readonly event: Extract<IntentEvent, 'reserved' | 'withheld' | 'submitted'>
  readonly cause: FailureCause | null
  readonly submittedAt: Instant | null
  readonly endedAt: Instant | null
  readonly deadlineAt: Instant | null
  readonly nextActionAt: Instant | null
  readonly queryAt: Instant | null
  readonly queuedAt: Instant | null
}

export interface BegunSubmit {
  /** The caller, and no other, may send the prompt. */
  readonly isTaken: boolean
  readonly write: (SubmitWrite & { readonly paymentEvent: PaymentEvent | undefined }) | undefined
}

/** What becomes of an attempt whose prompt a worker asks for. */
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
 * Decides whether the prompt of an attempt is put on the wire. While another prompt is open on the phone, or an attempt that
 * was created before may still be sent there, the attempt waits; a checkout that was paid meanwhile needs no prompt any more.
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
  if (state.isCheckoutPaid) return 'withhold'
  return isOverdue ? 'leave' : 'submit'
}

function isPhoneBusy({ now, channel }: Reserved, terms: BeginSubmitTerms): boolean {
  return (
    channel.kind === 'prompt' &&
    channel.others.some(
      ({ rail, submittedAt }) => later(submittedAt, terms.promptSeconds[rail]) > now,
    )
  )
}

/** An attempt that waits longer than it may, or whose checkout was paid, is never sent: none waits for it. */
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

/** Past the moment of giving up, which the worker decides; should no worker run, the intent expires. */
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

/** How long the gateway may take to say what became of a card page that has closed. */
const cardPageAnswerSeconds = 30

function submit(state: Reserved, terms: BeginSubmitTerms): SubmitWrite {
  const { id, now, queuedAt, channel } = state
  const queryAt = later(now, queryAfterSeconds(channel, terms))
  return {
    ...{ id, status: intentMachine.reserved.submitted, event: 'submitted', cause: null, queuedAt },
    ...{ submittedAt: now, endedAt: null, nextActionAt: queryAt, queryAt },
    deadlineAt:
      channel.kind === 'card'
        ? later(channel.expiresAt, cardPageAnswerSeconds)
        : later(now, terms.promptTimes[channel.rail].deadlineSeconds),
  }
}

function queryAfterSeconds(channel: Channel, terms: BeginSubmitTerms): number {
  return channel.kind === 'card'
    ? terms.cardQueryAfterSeconds
    : terms.promptTimes[channel.rail].queryAfterSeconds
}

/** How long a card page that closes at `expiresAt` is to be open, in whole seconds. */
export function cardLifeSeconds(now: Instant, expiresAt: Instant): number {
  return Math.ceil((expiresAt - now) / 1_000_000)
}

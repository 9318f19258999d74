import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import type { Rail, MobileRail } from '@malipo/kernel/countries'
import { promptsPerPhoneMax } from '@malipo/kernel/prompts'
import { type Instant, later } from '../../evidence/rules/state'
import type { WalletState } from '../../journal/rules/postings'
import { type IntentStatus, intentMachine } from './intent'

/** Within an hour, as of a phone. */
const promptsPerCheckoutMax = 20
/** The same of attempts by card, which ring no phone. */
export const cardAttemptsPerCheckoutMax = 10
/**
 * How long a prompt waits for another one on its phone: long enough for one of M-PESA that is never answered. Those of MTN and
 * Airtel may be open for longer. Then the payer is told to wait for two minutes and try again, and that try waits as long
 * as this once more, by which the longest has closed. What was given up was never sent, so nothing of it can be approved.
 */
export const queueSeconds = 90

/** What a payer is asked for: the amount, or the next that its rail can take. */
export function askedMinorOf(amountMinor: Minor, wholeMajorsOnly: boolean): Minor {
  return wholeMajorsOnly ? wholeMajorUp(amountMinor) : amountMinor
}

/** An attempt as the public reads it. */
export interface PublicIntent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: Minor
  readonly settledMinor: Minor | null
}

/** An attempt that a checkout has already. */
export interface EarlierAttempt extends PublicIntent {
  readonly createdAt: Instant
  /** It asks a payer over a phone: one that was born with its money never did. */
  readonly isPrompt: boolean
  readonly isOver: boolean
  /** Its money went to the merchant. */
  readonly isPaid: boolean
}

/** What the idempotency key of a request was bound to before. */
export interface BoundKey {
  readonly intentId: string
  readonly isSameInput: boolean
}

/** What a new attempt of a checkout is decided on, as it was behind the locks. */
export interface CheckoutState {
  readonly now: Instant
  readonly checkoutId: string
  readonly amountMinor: Minor
  readonly expiresAt: Instant
  readonly wallet: WalletState
  readonly bound: BoundKey | undefined
  readonly attempts: readonly EarlierAttempt[]
}

/** The columns of an attempt that begins, each with its value. */
export interface NewAttempt {
  readonly id: string
  /** Null of an attempt to pay a handle, which has an account and a handle in its place. */
  readonly checkoutId: string | null
  readonly accountId: string | null
  readonly handle: string | null
  readonly rail: Rail
  /** Null where the payer gave none, as by card. */
  readonly phone: string | null
  readonly amountMinor: Minor
  /** What the payer is asked for. */
  readonly askedMinor: Minor
  readonly createdAt: Instant
  readonly deadlineAt: Instant
  readonly nextActionAt: Instant
  /** Both null of an attempt by card. */
  readonly callbackSecret: string | null
  readonly attemptReference: string | null
  /** The page in which an attempt by card is paid. */
  readonly page?: NewPage
}

export interface NewPage {
  readonly feeMinor: Minor
  readonly expiresAt: Instant
  /** For the card gateway alone. */
  readonly sealedPayer: Buffer | undefined
}

/** Begins the deadline of an attempt. A worker is told at once; where that is lost, the sweep takes the row a second later. */
export function beginsAt(now: Instant, startSeconds: number) {
  return {
    createdAt: now,
    deadlineAt: later(now, startSeconds),
    nextActionAt: later(now, 1),
  }
}

const hourSeconds = 3_600

/**
 * How long until fewer than `max` of the moments lie within an hour, in whole seconds; undefined when it is so now. The
 * attempts themselves are what is counted.
 */
export function waitSeconds(
  now: Instant,
  moments: readonly Instant[],
  max: number,
): number | undefined {
  const newestFirst = moments.toSorted((one, other) => other - one)
  const oldest = newestFirst[max - 1]
  if (oldest === undefined || later(oldest, hourSeconds) <= now) return undefined
  return Math.ceil((later(oldest, hourSeconds) - now) / 1_000_000)
}

export interface StartState extends CheckoutState {
  /** When the prompts of the phone within the last hour began, of every checkout and handle: the limit bounds them. */
  readonly phonePrompts: readonly Instant[]
}

export interface StartRequest {
  readonly intentId: string
  readonly rail: MobileRail
  readonly phone: string
  readonly callbackSecret: string
  readonly attemptReference: string
  /** Ask for whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
  /** The phone has had its prompts of an hour in all cells together: until it may have one more. */
  readonly phoneWaitSeconds?: number | undefined
  /** A prompt of the rail would be sent too late: when to try again. */
  readonly busySeconds?: number | undefined
}

export type StartRefusal =
  | 'checkout_not_found'
  | 'idempotency_mismatch'
  | 'checkout_paid'
  | 'checkout_expired'

export interface RateLimited {
  readonly outcome: 'rate_limited'
  readonly retryAfterSeconds: number
}

/** A prompt would be sent too late, so nothing was begun. */
export interface Busy {
  readonly outcome: 'busy'
  readonly retryAfterSeconds: number
}

export type StartAnswer =
  | { readonly outcome: 'started' | 'replayed' | 'in_progress'; readonly intent: PublicIntent }
  | { readonly outcome: StartRefusal }
  | RateLimited
  | Busy

export interface StartDecided<Answer> {
  readonly answer: Answer
  /** The attempt that the key is bound to from now on, and what is written of it when it is new. */
  readonly write:
    | {
        readonly now: Instant
        readonly boundTo: string
        readonly attempt: NewAttempt | undefined
      }
    | undefined
}

/**
 * Decides whether a checkout gets a new attempt over a phone. A frozen wallet refuses a replay too; then the key is asked, as a
 * replay passes no other rule a second time. A key that is answered with the attempt in flight is bound to it, so that it
 * raises no prompt when that is over.
 */
export function decideStart(
  state: StartState | 'unknown',
  request: StartRequest,
  { startSeconds }: { readonly startSeconds: number },
): StartDecided<StartAnswer> {
  if (state === 'unknown' || state.wallet === 'frozen') return refused('checkout_not_found')
  const { now, bound, attempts } = state
  if (bound?.isSameInput === false) return refused('idempotency_mismatch')
  if (bound !== undefined) {
    const intent = attemptOf(attempts, bound.intentId)
    return { answer: { outcome: 'replayed', intent }, write: undefined }
  }
  if (attempts.some(({ isPaid }) => isPaid)) return refused('checkout_paid')
  const inFlight = attempts.find(({ isOver }) => !isOver)
  if (inFlight !== undefined) {
    return {
      answer: { outcome: 'in_progress', intent: inFlight },
      write: { now, boundTo: inFlight.intentId, attempt: undefined },
    }
  }
  if (now >= state.expiresAt) return refused('checkout_expired')
  const retryAfterSeconds = promptsWaitSeconds(state, request)
  if (retryAfterSeconds !== undefined) {
    return { answer: { outcome: 'rate_limited', retryAfterSeconds }, write: undefined }
  }
  return unlessBusy(request, () => started(beginAttempt(state, request, startSeconds)))
}

/** The last rule: what has begun goes on, and a payer who may not pay is told so, however busy it is. */
export function unlessBusy<Decided>(
  { busySeconds }: Pick<StartRequest, 'busySeconds'>,
  begin: () => Decided,
): Decided | { readonly answer: Busy; readonly write: undefined } {
  if (busySeconds === undefined) return begin()
  return { answer: { outcome: 'busy', retryAfterSeconds: busySeconds }, write: undefined }
}

export function refused<Outcome extends string>(outcome: Outcome) {
  return { answer: { outcome }, write: undefined }
}

/** The attempt of a key, which its checkout has: the scope of the key is the checkout. */
export function attemptOf(attempts: readonly EarlierAttempt[], intentId: string): PublicIntent {
  const attempt = attempts.find((one) => one.intentId === intentId)
  if (attempt === undefined)
    throw new Error(`the attempt ${intentId} of a key is not its checkout's`)
  return attempt
}

/** Until neither the phone nor the checkout has too many prompts within an hour. */
function promptsWaitSeconds(
  { now, attempts, phonePrompts }: StartState,
  { phoneWaitSeconds }: Pick<StartRequest, 'phoneWaitSeconds'>,
): number | undefined {
  const ofCheckout = attempts.flatMap(({ isPrompt, createdAt }) => (isPrompt ? [createdAt] : []))
  const ofPhone = waitSeconds(now, phonePrompts, promptsPerPhoneMax)
  const waits = [ofPhone, phoneWaitSeconds, waitSeconds(now, ofCheckout, promptsPerCheckoutMax)]
  const known = waits.flatMap((seconds) => seconds ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}

function beginAttempt(
  { now, checkoutId, amountMinor }: StartState,
  { intentId: id, wholeMajorsOnly, ...request }: StartRequest,
  startSeconds: number,
): NewAttempt {
  const { rail, phone, callbackSecret, attemptReference } = request
  return {
    ...{ id, checkoutId, accountId: null, handle: null, rail, phone, amountMinor },
    askedMinor: askedMinorOf(amountMinor, wholeMajorsOnly),
    ...beginsAt(now, startSeconds),
    ...{ callbackSecret, attemptReference },
  }
}

/** What is answered and written of an attempt that begins: it is reserved at once. */
export function started(attempt: NewAttempt) {
  const { id: intentId, rail, amountMinor, createdAt: now } = attempt
  const status = intentMachine.created.reserved
  return {
    answer: {
      outcome: 'started' as const,
      intent: { intentId, status, rail, amountMinor, settledMinor: null },
    },
    write: { now, boundTo: intentId, attempt },
  }
}

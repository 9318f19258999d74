import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import type { Rail, MobileRail } from '@malipo/kernel/countries'
import { promptsPerPhoneMax } from '@malipo/kernel/prompts'
import { type Instant, later, type NewIntent } from '../../evidence/rules/state'
import type { WalletState } from '../../journal/rules/postings'
import { type IntentStatus, intentMachine } from './intent'

/** The prompts of one checkout within an hour. */
const promptsPerCheckoutMax = 20
/** The attempts by card of one checkout within an hour. They disturb no phone, and no limit of a phone counts them. */
export const cardAttemptsPerCheckoutMax = 10
/**
 * How long a prompt waits for another one on its phone: longer than an unanswered prompt of M-PESA stays open. Prompts
 * of MTN and Airtel may stay open longer: then the payer is told to try again in two minutes, and by the end of this
 * second wait even the longest prompt has closed. A prompt that is given up was never sent, so it cannot be approved.
 */
export const queueSeconds = 90

/** Returns what a payer is asked for: the amount, or the next higher amount that the rail can take. */
export function askedMinorOf(amountMinor: Minor, wholeMajorsOnly: boolean): Minor {
  return wholeMajorsOnly ? wholeMajorUp(amountMinor) : amountMinor
}

/** The part of an attempt that answers to payers and merchants show. */
export interface PublicIntent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: Minor
  readonly settledMinor: Minor | null
}

export interface EarlierAttempt extends PublicIntent {
  readonly createdAt: Instant
  /** The attempt prompts a phone, unlike an attempt by card or an attempt that was created for money that had come. */
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

/** What a new attempt of a checkout is decided on, as read under the locks. */
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
export interface NewAttempt extends NewIntent {
  readonly createdAt: Instant
  readonly deadlineAt: Instant
  readonly nextActionAt: Instant
  /** The secret and the reference are null for an attempt by card. */
  readonly callbackSecret: string | null
  readonly attemptReference: string | null
  /** The page in which an attempt by card is paid. */
  readonly page?: NewPage
}

export interface NewPage {
  readonly feeMinor: Minor
  readonly expiresAt: Instant
  /** What the payer entered, encrypted for the card gateway: the ledger cannot read it. */
  readonly sealedPayer: Buffer | undefined
}

/** The times of a new attempt. A job calls a worker at once; if it is lost, the sweep takes the row a second later. */
export function beginsAt(now: Instant, startSeconds: number) {
  return {
    createdAt: now,
    deadlineAt: later(now, startSeconds),
    nextActionAt: later(now, 1),
  }
}

const hourSeconds = 3_600

/**
 * How long until fewer than `max` of the moments lie within the last hour, in whole seconds; undefined when that is so
 * now. No counter is stored: the moments are those of the attempts themselves.
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
  /** When the phone's prompts of the last hour began, for every checkout and handle. The limit keeps the list short. */
  readonly phonePrompts: readonly Instant[]
}

export interface StartRequest {
  readonly intentId: string
  readonly rail: MobileRail
  readonly phone: string
  readonly callbackSecret: string
  readonly attemptReference: string
  /** True where the payer is asked for whole shillings only: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
  /** Set when the phone has reached its limit of prompts an hour over all cells: the wait until the next prompt. */
  readonly phoneWaitSeconds?: number | undefined
  /** Set when a prompt of the rail would be sent too late: the payer may try again after these seconds. */
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
 * Decides whether a checkout gets a new attempt over a phone. A frozen wallet refuses a replay too. The idempotency key
 * comes next, because a replay passes no other rule a second time. A key that is answered with the attempt in flight is
 * bound to that attempt, so that its repeat starts no prompt once the attempt has ended.
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

/** Refuses a start on a busy rail. This rule is the last, so replays and attempts in flight are answered all the same. */
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

/** The attempt that a key is bound to. A key's scope is its checkout, so the checkout's attempts include it. */
export function attemptOf(attempts: readonly EarlierAttempt[], intentId: string): PublicIntent {
  const attempt = attempts.find((one) => one.intentId === intentId)
  if (attempt === undefined)
    throw new Error(`the attempt ${intentId} of a key is not its checkout's`)
  return attempt
}

/** The wait until neither phone nor checkout has too many prompts within an hour; undefined for no wait. */
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

/** The answer to a start and its write, for a new attempt: it is reserved at once. */
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

import type { MobileRail } from '@malipo/kernel/countries'
import { askedMinorOf } from '../asked-minor'
import { intentMachine } from '../intent'
import { promptsPerCheckoutMax, promptsPerPhoneMax } from '../limits'
import type { Instant } from '../settlement/state'
import {
  beginsAt,
  type CheckoutState,
  type EarlierAttempt,
  type Intent,
  type NewAttempt,
  waitSeconds,
} from './state'

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

export type StartAnswer =
  | { readonly outcome: 'started' | 'replayed' | 'in_progress'; readonly intent: Intent }
  | { readonly outcome: StartRefusal }
  | RateLimited

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
 * Decides whether a checkout gets a new attempt over a phone. The key is asked first, as a replay passes no rule a second
 * time. A key that is answered with the attempt in flight is bound to it, so that it raises no prompt when that is over.
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
  const retryAfterSeconds = promptsWaitSeconds(state)
  if (retryAfterSeconds !== undefined) {
    return { answer: { outcome: 'rate_limited', retryAfterSeconds }, write: undefined }
  }
  return started(beginAttempt(state, request, startSeconds))
}

export function refused<Outcome extends string>(outcome: Outcome) {
  return { answer: { outcome }, write: undefined }
}

/** The attempt of a key, which its checkout has: the scope of the key is the checkout. */
export function attemptOf(attempts: readonly EarlierAttempt[], intentId: string): Intent {
  const attempt = attempts.find((one) => one.intentId === intentId)
  if (attempt === undefined)
    throw new Error(`the attempt ${intentId} of a key is not its checkout's`)
  return attempt
}

/** Until neither the phone nor the checkout has too many prompts within an hour. */
function promptsWaitSeconds({ now, attempts, phonePrompts }: StartState): number | undefined {
  const ofCheckout = attempts.flatMap(({ isPrompt, createdAt }) => (isPrompt ? [createdAt] : []))
  const ofPhone = waitSeconds(now, phonePrompts, promptsPerPhoneMax)
  const waits = [ofPhone, waitSeconds(now, ofCheckout, promptsPerCheckoutMax)]
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

import { asksByPage } from '@malipo/kernel/rail-abilities'
import { isWholeMajor, type Minor, minorPerMajor } from '@malipo/kernel/money'
import {
  type Busy,
  cardAttemptsPerCheckoutMax,
  attemptOf,
  type RateLimited,
  refused,
  type StartDecided,
  started,
  beginsAt,
  type BoundKey,
  type CheckoutState,
  type PublicIntent,
  unlessBusy,
  waitSeconds,
} from '../../intents/rules/decide-start'
import { type Instant, later } from '../../evidence/rules/state'

export interface CardTerms {
  readonly feeMinor: Minor
  readonly totalMinor: Minor
}

/**
 * The fee that a payer by card pays beside the amount, and the total. The fee is `feeBps` of the amount, rounded up to a
 * whole major unit. Undefined where a card cannot pay the amount, or the country has no card rail.
 */
export function cardTerms(amountMinor: Minor, feeBps: bigint | undefined): CardTerms | undefined {
  if (feeBps === undefined || !isWholeMajor(amountMinor)) return undefined
  // One rounding is enough: rounding up to a minor unit first and then to a major unit gives the same fee.
  const wholeMajors = (amountMinor * feeBps + unit - 1n) / unit
  const feeMinor = wholeMajors * minorPerMajor
  return { feeMinor, totalMinor: amountMinor + feeMinor }
}

const unit = 10_000n * minorPerMajor

/** The page on which an attempt by card is paid, hosted by the card gateway. */
export interface CardPage {
  readonly feeMinor: Minor
  readonly expiresAt: Instant
  /** Undefined until the card gateway has opened the page. */
  readonly opened: { readonly sessionId: string; readonly successIndicator: string } | undefined
}

export interface CardStartState extends CheckoutState {
  readonly cardEnabled: boolean
  /** The page of the attempt that the key is bound to. */
  readonly page: CardPage | undefined
}

export interface StartCardRequest {
  readonly intentId: string
  readonly phone: string | undefined
  readonly sealedPayer: Buffer | undefined
  /** Set while the queue is too long: a page would be opened too late. The payer may try again after these seconds. */
  readonly busySeconds?: number | undefined
}

export interface StartCardTerms {
  /** Undefined where no cards are taken. */
  readonly cardFeeBps: bigint | undefined
  readonly startSeconds: number
  readonly sessionSeconds: number
}

export type StartCardAnswer =
  | {
      readonly outcome: 'started' | 'replayed'
      readonly intent: PublicIntent
      readonly page: CardPage
    }
  | { readonly outcome: StartCardRefusal }
  | RateLimited
  | Busy

export type StartCardRefusal =
  | 'checkout_not_found'
  | 'idempotency_mismatch'
  | 'checkout_paid'
  | 'card_off'
  | 'payment_in_progress'
  | 'checkout_expired'

/**
 * Decides whether a checkout gets a new attempt by card. A frozen wallet refuses even a replay. The key comes next, as
 * a replay passes no other rule a second time. A card prompts no phone, so its attempts are counted for the checkout
 * alone, and apart from prompts.
 */
export function decideStartCard(
  state: CardStartState | 'unknown',
  request: StartCardRequest,
  terms: StartCardTerms,
): StartDecided<StartCardAnswer> {
  if (state === 'unknown' || state.wallet === 'frozen') return refused('checkout_not_found')
  const { now, bound, attempts } = state
  if (bound !== undefined) return { answer: replay(state, bound), write: undefined }
  const fee = state.cardEnabled ? cardTerms(state.amountMinor, terms.cardFeeBps) : undefined
  const refusal = refusalOf(state, fee !== undefined)
  if (fee === undefined || refusal !== undefined) return refused(refusal ?? 'card_off')
  const byCard = attempts.flatMap(({ rail, createdAt }) => (asksByPage(rail) ? [createdAt] : []))
  const retryAfterSeconds = waitSeconds(now, byCard, cardAttemptsPerCheckoutMax)
  if (retryAfterSeconds !== undefined) {
    return { answer: { outcome: 'rate_limited', retryAfterSeconds }, write: undefined }
  }
  const { feeMinor } = fee
  return unlessBusy(request, () => beginByCard(state, request, { ...terms, feeMinor }))
}

function refusalOf(
  { now, attempts, expiresAt }: CardStartState,
  isCardOn: boolean,
): StartCardRefusal | undefined {
  if (attempts.some(({ isPaid }) => isPaid)) return 'checkout_paid'
  if (!isCardOn) return 'card_off'
  if (attempts.some(({ isOver }) => !isOver)) return 'payment_in_progress'
  return now >= expiresAt ? 'checkout_expired' : undefined
}

function replay({ attempts, page }: CardStartState, bound: BoundKey): StartCardAnswer {
  if (!bound.isSameInput) return { outcome: 'idempotency_mismatch' }
  // An attempt and its page are made by one commit, and neither is ever removed.
  if (page === undefined) throw new Error(`the attempt ${bound.intentId} by card has no page`)
  return { outcome: 'replayed', intent: attemptOf(attempts, bound.intentId), page }
}

function beginByCard(
  { now, checkoutId, amountMinor }: CardStartState,
  { intentId: id, phone, sealedPayer }: StartCardRequest,
  terms: StartCardTerms & { readonly feeMinor: Minor },
): StartDecided<StartCardAnswer> {
  const { feeMinor, startSeconds, sessionSeconds } = terms
  const expiresAt = later(now, sessionSeconds)
  const { answer, write } = started({
    ...{ id, checkoutId, accountId: null, handle: null, rail: 'card', phone: phone ?? null },
    ...{ amountMinor, askedMinor: amountMinor },
    ...beginsAt(now, startSeconds),
    ...{ callbackSecret: null, attemptReference: null },
    page: { feeMinor, expiresAt, sealedPayer },
  })
  return { answer: { ...answer, page: { feeMinor, expiresAt, opened: undefined } }, write }
}

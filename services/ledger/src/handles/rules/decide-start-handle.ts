import { promptsPerPhoneMax } from '@malipo/kernel/prompts'
import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import {
  type Busy,
  type RateLimited,
  refused,
  type StartDecided,
  started,
  type StartRequest,
  beginsAt,
  type PublicIntent,
  unlessBusy,
  waitSeconds,
} from '../../intents/rules/decide-start'
import type { Payee } from '../../pay-bill/rules/state'
import type { Instant } from '../../evidence/rules/state'
import type { WalletState } from '../../journal/rules/postings'

/** What a payment to a handle is decided on, as read under the lock of the phone. */
export interface HandleState {
  readonly now: Instant
  readonly wallet: WalletState
  /** What the key was bound to before. */
  readonly bound: { readonly intent: PublicIntent; readonly isSameInput: boolean } | undefined
  /** When the prompts of the phone within the last hour began, of every checkout and handle. */
  readonly phonePrompts: readonly Instant[]
}

export interface StartHandleRequest extends StartRequest {
  readonly payee: Payee
  readonly amountMinor: Minor
  readonly isWithinLimits: boolean
}

export type StartHandleAnswer =
  | { readonly outcome: 'started' | 'replayed'; readonly intent: PublicIntent }
  | {
      readonly outcome: 'checkout_not_found' | 'idempotency_mismatch' | 'amount_outside_limits'
    }
  | RateLimited
  | Busy

/**
 * Decides whether a handle is paid by a new attempt. A payment in flight is no obstacle: two payments to one handle
 * are two payments. A replay is answered before any other rule, except that a frozen wallet refuses it too.
 */
export function decideStartHandle(
  state: HandleState | 'unknown',
  request: StartHandleRequest,
  { startSeconds }: { readonly startSeconds: number },
): StartDecided<StartHandleAnswer> {
  if (state === 'unknown' || state.wallet === 'frozen') return refused('checkout_not_found')
  const { now, bound, phonePrompts } = state
  if (bound?.isSameInput === false) return refused('idempotency_mismatch')
  if (bound !== undefined) {
    return { answer: { outcome: 'replayed', intent: bound.intent }, write: undefined }
  }
  if (!request.isWithinLimits) return refused('amount_outside_limits')
  const ownSeconds = waitSeconds(now, phonePrompts, promptsPerPhoneMax)
  const retryAfterSeconds = ownSeconds ?? request.phoneWaitSeconds
  if (retryAfterSeconds !== undefined) {
    return { answer: { outcome: 'rate_limited', retryAfterSeconds }, write: undefined }
  }
  const { intentId: id, payee, amountMinor, wholeMajorsOnly } = request
  const { rail, phone, callbackSecret, attemptReference } = request
  return unlessBusy(request, () =>
    started({
      ...{ id, checkoutId: null, accountId: payee.accountId, handle: payee.handle, rail, phone },
      ...{ amountMinor, askedMinor: wholeMajorsOnly ? wholeMajorUp(amountMinor) : amountMinor },
      ...beginsAt(now, startSeconds),
      ...{ callbackSecret, attemptReference },
    }),
  )
}

import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'

export interface CreateRequest {
  readonly amountMinor: Minor
  /** SHA-256 of the input in hex. Present with an idempotency key. */
  readonly fingerprint: string | undefined
}

/** What the creation of a checkout is decided on. */
export interface CreateState {
  /** What the idempotency key made before. Undefined for a new key, and for a request without one. */
  readonly earlier: { readonly checkoutId: string; readonly fingerprint: string } | undefined
  /** The account has a wallet here, and the wallet is not frozen. */
  readonly isWalletOpen: boolean
}

export type CreateRefusal = 'idempotency_mismatch' | 'amount_outside_limits' | 'checkout_not_found'

export type CreateDecision =
  | { readonly outcome: 'create' }
  | { readonly outcome: 'replayed'; readonly checkoutId: string }
  | { readonly outcome: CreateRefusal }

/** The state that most requests find. The save writes a checkout in this state only. */
export const ordinaryState: CreateState = { earlier: undefined, isWalletOpen: true }

/**
 * Decides what a request to create a checkout leads to. The idempotency key comes first, because a replay gets the first
 * answer again, whatever the limits and the wallet are now.
 */
export function decideCreateCheckout(
  { earlier, isWalletOpen }: CreateState,
  { amountMinor, fingerprint }: CreateRequest,
  country: CountryRules,
): CreateDecision {
  if (earlier !== undefined) {
    if (earlier.fingerprint !== fingerprint) return { outcome: 'idempotency_mismatch' }
    return { outcome: 'replayed', checkoutId: earlier.checkoutId }
  }
  if (!isWithinLimits(country, amountMinor)) return { outcome: 'amount_outside_limits' }
  return { outcome: isWalletOpen ? 'create' : 'checkout_not_found' }
}

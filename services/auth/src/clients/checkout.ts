import type { FailureCause } from '@malipo/interface/failure-causes'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'

/** What the ledger tells an account of its checkouts and its wallet. */

export interface Checkout {
  readonly checkoutId: string
  readonly status: CheckoutStatus
  readonly amountMinor: Minor
  readonly currency: string
  readonly reference: string | undefined
  readonly description: string | undefined
  /** Not in lists. */
  readonly returnUrl: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly completedAt: Date | undefined
  /** Money that came for it is held by us and not in the wallet. */
  readonly isMoneyHeld: boolean
  readonly payment: Payment | undefined
}

export interface Payment {
  readonly intentId: string
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  readonly phone: string
}

export interface Timeline {
  readonly checkout: Checkout
  readonly payBillAccountNumber: string | undefined
  readonly attempts: readonly Attempt[]
}

export interface Attempt extends Payment {
  readonly rail: Rail
  /** Why it took no money, in the ledger's word. */
  readonly cause: FailureCause | undefined
  readonly startedAt: Date
  readonly heldBecause: string | undefined
  readonly steps: readonly { readonly status: IntentStatus; readonly at: Date }[]
}

export interface Wallet {
  readonly balanceMinor: Minor
  readonly currency: string
  readonly openedAt: Date
  readonly isFrozen: boolean
}

export interface WalletEntry {
  readonly entryId: string
  /** Below zero when it went out. */
  readonly minor: Minor
  readonly at: Date
  readonly provider?: string | undefined
  readonly receipt?: string | undefined
  readonly checkoutId?: string | undefined
  readonly reference?: string | undefined
}

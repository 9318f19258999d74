import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { WalletMove } from '@malipo/kernel/wallet-move'

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
  /** Operators found that what was reported as its payment was not made; nothing more may arrive. */
  readonly isFoundUnpaid: boolean
  /** When it was reported as paid; undefined unless that waits to be confirmed. */
  readonly reportedAt: Date | undefined
  readonly payment: Payment | undefined
}

export interface Payment {
  readonly intentId: string
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  /** Undefined where the payer gave none, as by card. */
  readonly phone: string | undefined
  readonly rail: Rail
  /** Why it took no money. */
  readonly cause: FailureCause | undefined
}

export interface Timeline {
  readonly checkout: Checkout
  readonly payBillAccountNumber: string | undefined
  readonly attempts: readonly Attempt[]
}

export interface Attempt extends Payment {
  readonly startedAt: Date
  readonly heldBecause: string | undefined
  /** When its money was taken out of the wallet, because the provider's statement does not show the payment. */
  readonly frozenAt: Date | undefined
  /** When money that was frozen came back. */
  readonly returnedAt: Date | undefined
  readonly steps: readonly { readonly status: IntentStatus; readonly at: Date }[]
}

export interface Wallet {
  readonly balanceMinor: Minor
  readonly currency: string
  readonly openedAt: Date
  /** Since when it takes no payments; undefined when it takes them. */
  readonly frozenAt: Date | undefined
  /** Taken out of it and held, because the provider's statement does not show the payments. */
  readonly unconfirmedMinor: Minor
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
  /** The username or the address of a link that was paid. */
  readonly handle?: string | undefined
  readonly phone?: string | undefined
  readonly move: WalletMove
}

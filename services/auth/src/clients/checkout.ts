import type {
  ListedCheckout,
  MerchantCheckout,
  Payment as WirePayment,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { WalletMove } from '@malipo/kernel/wallet-move'
import type { PaymentCount } from '../checkouts/rules/payment-days'

// The ledger's answers about an account's checkouts and wallet, with the fields of its proto. Only the fields whose
// type is stricter than in the proto are declared here: required fields, enums as strings, money and booleans.

export interface Checkout
  extends
    Readonly<Omit<MerchantCheckout, 'status' | 'amount' | 'createdAt' | 'expiresAt' | 'payment'>>,
    Readonly<Pick<ListedCheckout, 'completedAt' | 'reportedAt'>> {
  readonly status: CheckoutStatus
  readonly amountMinor: Minor
  readonly currency: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly isMoneyHeld: boolean
  readonly isFoundUnpaid: boolean
  readonly payment: Payment | undefined
}

export interface Payment extends Readonly<Pick<WirePayment, 'intentId' | 'phone'>> {
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  readonly rail: Rail
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
  /** When its money was taken out of the wallet, because the provider's statement does not list the payment. */
  readonly frozenAt: Date | undefined
  /** When the frozen money came back. */
  readonly returnedAt: Date | undefined
  readonly steps: readonly { readonly status: IntentStatus; readonly at: Date }[]
}

export interface Wallet {
  readonly balanceMinor: Minor
  readonly currency: string
  readonly openedAt: Date
  /** When it was closed for payments; undefined while it is open. */
  readonly frozenAt: Date | undefined
  /** Taken out of it and held, because the provider's statement does not list the payments. */
  readonly unconfirmedMinor: Minor
}

export interface WalletEntry {
  readonly entryId: string
  /** Negative for money that went out. */
  readonly minor: Minor
  readonly at: Date
  readonly provider?: string | undefined
  readonly receipt?: string | undefined
  readonly checkoutId?: string | undefined
  readonly reference?: string | undefined
  /** The paid username or link handle. */
  readonly handle?: string | undefined
  readonly phone?: string | undefined
  readonly move: WalletMove
}

/** What was paid to an account and what was not, by local day. */
export interface PaymentCounts {
  readonly firstDay: string
  readonly lastDay: string
  readonly counts: readonly PaymentCount[]
  readonly heldCheckouts: number
}

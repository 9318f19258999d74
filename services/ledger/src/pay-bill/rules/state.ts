import type { Minor } from '@malipo/kernel/money'
import type { Instant, Intent, Message } from '../../evidence/rules/state'
import type { WalletState } from '../../journal/rules/postings'

/** The payee that an account number names as a handle. */
export interface Payee {
  readonly accountId: string
  readonly handle: string
}

/** What a Pay Bill message says, or that its reader could not read it. */
export type PayBillFact = PaidFact | { readonly kind: 'unreadable' }

export interface PaidFact {
  readonly kind: 'receipt'
  readonly receipt: string
  readonly amountMinor: Minor
  readonly paidAt: Date | undefined
  /** The account number that the payer typed, as `readAccountNumber` leaves it. Empty for a payment to a till. */
  readonly account: string
  readonly payee: Payee | undefined
  /** The lookup of the payee failed, so the payee may exist. */
  readonly isPayeeUnknown: boolean
  readonly phone: string | undefined
  readonly isWithinLimits: boolean
  /** The message brings back our answer to the validation, or brings none and is of a small enough amount. */
  readonly isSigned: boolean
  /** True where a checkout asks its payer for whole shillings only. */
  readonly wholeMajorsOnly: boolean
  /** How long the payment keeps a checkout open while it is only reported. */
  readonly holdSeconds: number
  /** The most that a callback settles before the statement confirms it. */
  readonly unconfirmedMaxMinor: bigint
}

export interface PayBillCommand {
  readonly messageId: string
  readonly fact: PayBillFact
  readonly newIntentId: string
}

/** All that a decision about Pay Bill money may depend on. */
export interface PayBillState {
  readonly now: Instant
  readonly message: Message
  /** The checkout that the account number stands for. */
  readonly checkout:
    | {
        readonly id: string
        readonly accountId: string
        readonly amountMinor: Minor
      }
    | undefined
  /** The intent whose reference the account number is. */
  readonly intent: Intent | undefined
  readonly wallet: { readonly accountId: string; readonly state: WalletState } | undefined
  readonly isCheckoutPaid: boolean
  /** Two operators have posted the money of the intent, by the receipt that they read in the provider's portal. */
  readonly isPostedByHand: boolean
  /** What the journal has for the receipt; undefined where it has none. */
  readonly postedMinor: Minor | undefined
  /** The intent has no money, and the receipt is that of another payment. */
  readonly isReceiptOfAnother: boolean
  /**
   * The callbacks about the receipt that posted nothing. Empty for a row of the statement, which is believed anyway.
   */
  readonly reports: readonly PayBillReport[]
}

/** A callback that posted nothing. */
export interface PayBillReport {
  readonly minor: Minor
  readonly checkoutId: string | null
}

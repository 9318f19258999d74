import type {
  Attempt as WireAttempt,
  Card,
  HandlePayment as WireHandlePayment,
  Intent as WireIntent,
  MerchantCheckout as WireMerchantCheckout,
  Payee,
  PayerCheckout as WirePayerCheckout,
  Payment as WirePayment,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Currency, Minor } from '@malipo/kernel/money'

export type { Card, Payee }

// The ledger's answers, with the fields of its proto. Only the fields whose type is stricter than in the proto are
// declared here: required fields, enums as strings, money and booleans.

/** The fields of a proto message without those that are redeclared with a stricter type. */
type Plain<Wire, Typed extends keyof Wire> = Readonly<Omit<Wire, Typed | 'amount'>>

interface Amount {
  readonly amountMinor: Minor
  readonly currency: Currency
}

export interface MerchantCheckout
  extends Plain<WireMerchantCheckout, 'status' | 'expiresAt' | 'createdAt' | 'payment'>, Amount {
  readonly status: CheckoutStatus
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly payment: Payment | undefined
}

export interface Payment extends Plain<
  WirePayment,
  'status' | 'amountSettledMinor' | 'rail' | 'cause'
> {
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
}

export interface PayerCheckout
  extends
    Plain<WirePayerCheckout, 'status' | 'expiresAt' | 'attempt' | 'foundUnpaid' | 'deniedRail'>,
    Amount {
  readonly status: CheckoutStatus
  readonly expiresAt: Date
  readonly attempt: Attempt | undefined
  readonly isFoundUnpaid: boolean
  readonly deniedRail: Rail | undefined
}

export interface Attempt extends Plain<
  WireAttempt,
  'status' | 'rail' | 'cause' | 'startedAt' | 'queued' | 'unanswered'
> {
  readonly status: IntentStatus
  readonly rail: Rail
  readonly cause: FailureCause | undefined
  readonly startedAt: Date
  readonly isQueued: boolean
  readonly isUnanswered: boolean
}

export interface Intent
  extends Plain<WireIntent, 'status' | 'amountSettledMinor' | 'rail'>, Amount {
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly rail: Rail
}

/** A payment intent for a handle, as its payer sees it. */
export interface HandlePayment
  extends Plain<WireHandlePayment, 'payee' | 'attempt' | 'foundUnpaid' | 'deniedRail'>, Amount {
  readonly payee: Payee
  readonly attempt: Attempt
  readonly isFoundUnpaid: boolean
  readonly deniedRail: Rail | undefined
}

/** A card payment intent and the page on which it is paid. */
export interface CardPayment {
  readonly intent: Intent
  readonly feeMinor: Minor
  readonly totalMinor: Minor
  readonly expiresAt: Date
  /** Undefined until the card gateway has opened the page. */
  readonly opened: OpenedCardPage | undefined
}

export interface OpenedCardPage {
  readonly sessionId: string
  /** The parameters that the card gateway adds when it redirects the payer back. */
  readonly successIndicator: string
}

export type StartOutcome = 'started' | 'replayed' | 'in_progress'

/** Whether a wallet can take money, and how payers are charged. */
export interface WalletCheck {
  readonly isAccepting: boolean
  /** An amount with cents is rounded up to the whole shilling. */
  readonly wholeMajorsOnly: boolean
}

/** The ledger's answer to the validation of a Pay Bill payment, before the money moves. */
export interface PayBillCheck {
  readonly verdict: PayBillVerdict
  /** The value that M-Pesa repeats in the confirmation. */
  readonly thirdPartyId: string
}

export type PayBillVerdict = 'accepted' | 'unknown_account' | 'wrong_amount'

export interface PayBillQuestion {
  readonly receipt: string
  readonly amountMinor: Minor
  /** The account number as the payer typed it. */
  readonly accountNumber: string
  /** The payee, if the account number is a handle. */
  readonly payee?: Payee | undefined
}

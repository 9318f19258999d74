import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Currency, Minor } from '@malipo/kernel/money'

/** What the ledger tells us, in our own words. */

export interface MerchantCheckout {
  readonly checkoutId: string
  readonly status: CheckoutStatus
  readonly amountMinor: Minor
  readonly currency: Currency
  readonly reference: string | undefined
  readonly description: string | undefined
  readonly returnUrl: string | undefined
  readonly expiresAt: Date
  readonly createdAt: Date
  /** The attempt that settled it, else the newest. */
  readonly payment: Payment | undefined
}

export interface Payment {
  readonly intentId: string
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly providerReceipt: string | undefined
  /** Undefined where the payer gave none, as by card. */
  readonly phone: string | undefined
}

export interface PayerCheckout {
  readonly checkoutId: string
  readonly status: CheckoutStatus
  readonly amountMinor: Minor
  readonly currency: Currency
  readonly description: string | undefined
  /** As sent at create. */
  readonly phone: string | undefined
  /** The settling attempt, else the one in flight. */
  readonly intentId: string | undefined
  readonly returnUrl: string | undefined
  readonly reference: string | undefined
  readonly card: Card | undefined
  readonly expiresAt: Date
  readonly accountId: string
  readonly completedAt: Date | undefined
  /** The settling attempt, else the newest, in flight or ended. */
  readonly attempt: Attempt | undefined
  /** How many attempts took no money. */
  readonly failedAttempts: number
  /** Money of an attempt, this one or an earlier, is held for a person or may still arrive. */
  readonly mayHavePaid: boolean
  /** A payment was reported, and two operators found that it was not made. */
  readonly isFoundUnpaid: boolean
  /** The rail whose status answers alone ended an attempt as not paid: such answers have been wrong. */
  readonly deniedRail: Rail | undefined
  /** What the payer types as the account in the Pay Bill menu, where there is one. */
  readonly payBillAccountNumber: string | undefined
  /** When a payment from the Pay Bill menu was reported that is not confirmed yet: its payer must not pay again. */
  readonly payBillReportedAt: Date | undefined
  /** What the payer is asked for over a phone: the amount, or more by less than a shilling. Once paid, what was received. */
  readonly askedMinor: Minor
}

export interface Card {
  readonly feeMinor: Minor
  readonly totalMinor: Minor
}

export interface Attempt {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly phone: string | undefined
  /** Why it took no money; undefined unless it failed or expired. */
  readonly cause: FailureCause | undefined
  readonly startedAt: Date
  /** The account that the phone shows, while a prompt is on its way or open. */
  readonly attemptReference?: string | undefined
  /** Another prompt is open on the phone or goes first: this one is sent after it, or given up at its deadline. */
  readonly isQueued?: boolean
  /** When the provider was asked to send the prompt. */
  readonly sentAt?: Date | undefined
  /** When the wait for an answer ends, if none comes before. */
  readonly deadlineAt?: Date | undefined
  /** The provider's answer to the push is not known: the prompt may come to the phone, or never. */
  readonly isUnanswered?: boolean
  /** When the provider reported it as paid; undefined unless that report waits to be confirmed. */
  readonly reportedAt?: Date | undefined
}

export interface Intent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly amountMinor: Minor
  readonly currency: Currency
  readonly settledMinor: Minor | undefined
  readonly rail: Rail
}

/** An attempt to pay a handle, as its payer sees it. */
export interface HandlePayment {
  readonly payee: Payee
  readonly amountMinor: Minor
  /** What the payer is asked for. */
  readonly askedMinor: Minor
  readonly currency: Currency
  readonly attempt: Attempt
  /** When its money went to the payee. */
  readonly completedAt: Date | undefined
  /** Of its phone to pay its handle, without money, in the hour up to it. */
  readonly failedAttempts: number
  /** Money of one of these, or of this attempt, is held for a person or may still arrive. */
  readonly mayHavePaid: boolean
  /** One of them was reported as paid, and two operators found that it was not. */
  readonly isFoundUnpaid: boolean
  /** The rail whose status answers alone ended one of them as not paid. */
  readonly deniedRail: Rail | undefined
}

/** An attempt by card, and the page on which it is paid. */
export interface CardPayment {
  readonly intent: Intent
  readonly feeMinor: Minor
  readonly totalMinor: Minor
  readonly expiresAt: Date
  /** Undefined until the card gateway has opened it. */
  readonly opened: OpenedCardPage | undefined
}

export interface OpenedCardPage {
  readonly sessionId: string
  /** What the browser of a payer who has paid brings back. */
  readonly successIndicator: string
}

export type StartOutcome = 'started' | 'replayed' | 'in_progress'

/** Whether a wallet can take money, and how its payers are asked for it. */
export interface WalletCheck {
  readonly isAccepting: boolean
  /** An amount with cents is rounded up to the whole shilling. */
  readonly wholeMajorsOnly: boolean
}

/** What the ledger says of a Pay Bill payment before the money moves. */
export interface PayBillCheck {
  readonly verdict: PayBillVerdict
  /** What M-Pesa is to bring back in the confirmation. */
  readonly thirdPartyId: string
}

export type PayBillVerdict = 'accepted' | 'unknown_account' | 'wrong_amount'

export interface PayBillQuestion {
  readonly receipt: string
  readonly amountMinor: Minor
  /** As the payer typed it. */
  readonly accountNumber: string
  /** The payee if the number is a handle. */
  readonly payee?: Payee | undefined
}

export interface Payee {
  readonly accountId: string
  /** As its owner writes it. */
  readonly handle: string
}

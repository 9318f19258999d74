import type { CountryRules, MobileRail } from '@malipo/kernel/countries'
import type { Currency } from '@malipo/kernel/money'
import type { PayerCheckout } from '../clients/checkout'
import type { PayBillNumbers } from '../http/read-checkout'
import type { Times } from './show-values'
import type { Texts } from './texts/texts'

/** What is to be paid, and how far that is: a checkout, or one attempt to pay a handle. */
export interface Bill extends Pick<
  PayerCheckout,
  | 'status'
  | 'askedMinor'
  | 'description'
  | 'attempt'
  | 'failedAttempts'
  | 'mayHavePaid'
  | 'isFoundUnpaid'
  | 'deniedRail'
  | 'payBillReportedAt'
  | 'completedAt'
> {
  /** The attempt that a payer watches: the one that paid, else the one in flight. */
  readonly intentId?: string | undefined
  /** Undefined where nothing ends. */
  readonly expiresAt: Date | undefined
  /** Where a payer who has paid goes. */
  readonly redirectUrl: string | undefined
}

/** All that a screen is made of. */
export interface PayerView {
  /** Where the page is. */
  readonly path: string
  /** Where a payer begins: the form goes to `/pay` below it, and a phone's camera is led there. */
  readonly startPath: string
  readonly bill: Bill
  /** How the account calls itself, or our stand-in while the name cannot be looked up. */
  readonly payee: string
  /** What the payer is asked for, as people read it. */
  readonly amount: string
  /** What was agreed, where the payer is asked for more: a rail of whole shillings rounds cents up. */
  readonly price: string | undefined
  readonly texts: Texts
  readonly times: Times
  readonly rules: CountryRules
  /** The mobile-money rail that a new attempt takes, as payers call it. */
  readonly rail: string
  /** What the payer may choose between; empty where there is no choice. */
  readonly railChoices: readonly MobileRail[]
  /** What the payer types to pay from the menu instead; undefined where there is no menu. */
  readonly payBill: PayBillNumbers | undefined
  /** What the payer of a handle types instead, when prompts keep failing. The page never shows that payment. */
  readonly anotherPayment?: PayBillNumbers | undefined
  /** What a card costs, as people read it; undefined where none is taken. */
  readonly card?: CardCost | undefined
  /** The amount charged to the card, if it was paid by card. */
  readonly cardPaid?: CardCost | undefined
  /** When the card page of the attempt in flight takes no card any more; undefined before it has opened. */
  readonly cardPageUntil?: Date | undefined
  readonly form: PayForm
}

export interface CardCost {
  readonly fee: string
  readonly total: string
}

export interface PayForm {
  /** The Idempotency-Key of the next attempt, made with the page: sent twice, it makes one prompt. */
  readonly key: string
  readonly phone: string
  /** Undefined where the payer does not say how much. */
  readonly amount?: AmountField | undefined
  /** The rail chosen by hand. */
  readonly rail?: MobileRail | undefined
  readonly error?: string | undefined
  /** The number is of another network, unless the payer says that it has moved. */
  readonly asksMoved?: boolean
}

export interface AmountField {
  readonly currency: Currency
  /** In major units, as the payer wrote it or as a link suggests it. */
  readonly value: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

import type { CountryRules, MobileRail } from '@malipo/kernel/countries'
import type { Currency } from '@malipo/kernel/money'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'
import type { PayBillNumbers } from '../payer/menu-and-return'
import type { Times } from './show-values'
import type { Texts } from './texts/texts'

/** What is to be paid, and its state: a checkout, or one intent of a handle. */
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
  /** The intent that the page shows: the paid one, else the one in flight. */
  readonly intentId?: string | undefined
  /** Undefined where it does not expire. */
  readonly expiresAt: Date | undefined
  /** The redirect address after payment. */
  readonly redirectUrl: string | undefined
}

export interface PayerView {
  readonly path: string
  /** The page of a later attempt to pay the same handle, which is paid or may be; undefined without one. */
  readonly laterPath?: string | undefined
  /** The page to begin from: the form posts to `/pay` below it, and the QR code opens it. */
  readonly startPath: string
  readonly bill: Bill
  /** The account's display name, or a stand-in while it cannot be looked up. */
  readonly payee: string
  /** The amount to pay, formatted. */
  readonly amount: string
  /** The agreed amount, where the payer is asked for more: a rail of whole shillings rounds cents up. */
  readonly price: string | undefined
  readonly texts: Texts
  readonly times: Times
  readonly rules: CountryRules
  /** The mobile-money rail of a new intent, by its public name. */
  readonly rail: string
  /** The rails to choose from; empty where there is only one. */
  readonly railChoices: readonly MobileRail[]
  /** What to type in the phone's own menu; undefined where it has none for us. */
  readonly payBill: PayBillNumbers | TillNumbers | undefined
  /** The address of the QR code by which the M-PESA app pays; undefined without one. */
  readonly paymentQrPath?: string | undefined
  /**
   * The account number for paying a handle from the menu, when prompts keep failing. The page never shows that
   * payment.
   */
  readonly anotherPayment?: PayBillNumbers | undefined
  /** The total of a card payment, formatted; undefined where none is taken. */
  readonly card?: CardCost | undefined
  /** The amount charged to the card, if it was paid by card. */
  readonly cardPaid?: CardCost | undefined
  /** When the card page of the intent in flight closes; undefined before it has opened. */
  readonly cardPageUntil?: Date | undefined
  readonly form: PayForm
}

/** A till, and the payer's number, by which a payment to the till is matched to its checkout. */
export interface TillNumbers {
  readonly till_number: string
  readonly phone: string
}

export interface CardCost {
  readonly fee: string
  readonly total: string
}

export interface PayForm {
  /** The Idempotency-Key of the next intent, made with the page: a form sent twice makes one prompt. */
  readonly key: string
  readonly phone: string
  /** Undefined where the amount is fixed. */
  readonly amount?: AmountField | undefined
  /** The rail that the payer has chosen. */
  readonly rail?: MobileRail | undefined
  readonly error?: string | undefined
  /** Whether to ask if the number has moved, because its digits are those of another network. */
  readonly asksMoved?: boolean
}

export interface AmountField {
  readonly currency: Currency
  /** In major units: as typed, suggested by a link, rounded up or of the payment shown; empty without any. */
  readonly value: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

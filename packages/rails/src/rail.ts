import type { CardPayer } from '@malipo/contracts/card-payer'
import type { MobileRail, Rail as RailName } from '@malipo/kernel/countries'
import type { Currency, Minor } from '@malipo/kernel/money'
import type { Fact, MessageKind, SessionOutcome, SubmitOutcome } from '@malipo/kernel/provider-fact'
import type { TakeTurn } from './pace'

/**
 * The questions to every provider about a payment that began with us, in our own words. A provider's words stay in
 * the rail's folder. Nothing here throws for what a provider or a network does: every such end is a value, because each
 * means something else for the payer's money.
 */
export interface AskableRail {
  readonly name: RailName
  /**
   * The id of a payment at a provider that lets us choose it: the payment can be queried even if the answer was lost,
   * and a repeat is the same prompt. Absent where the provider chooses the id (Daraja).
   */
  requestIdOf?(intentId: string): string
  /** Whether the provider takes our credentials. Moves no money; called when an operator checks the providers. */
  checkCredentials(): Promise<Prepared>
  /**
   * Asks how a payment ended, by the provider's id of it. `platform`: which of the provider's platforms took the
   * payment; absent where that was not kept. An answer that names another payment, or another `attemptReference`, is no
   * answer. `isWatch`: the payment has ended, so of a provider's limit of calls it leaves some to those in flight.
   */
  askStatus(
    providerRequestId: string,
    platform?: string,
    attemptReference?: string,
    isWatch?: boolean,
  ): Promise<Fetched>
  /** Looks for the payment itself in the provider's statement: one body for each row that names the attempt. */
  findInStatement(search: StatementSearch): Promise<Fetched>
}

/** A rail that prompts a payer by phone. */
export interface Rail extends AskableRail {
  readonly name: MobileRail
  /** Which of the provider's platforms `submit` uses, where there is more than one. It is kept with the intent. */
  readonly platform?: string
  /** Fetches ahead what the next prompt needs, so that no payer waits for it. To be called every minute or so. */
  prepare?(): Promise<Prepared>
  /** Prompts the payer at most once, and never after the prompt's time. To MTN a repeat is the same prompt. */
  submit(prompt: Prompt): Promise<SubmitOutcome>
  /** Checks the signature of a callback, if the provider signs. It is only counted; the status query decides. */
  checkSignature?(body: Uint8Array): SignatureCheck
  /** Payments that payers start from the menu of their phone, where the rail has them. */
  readonly payBill?: PayBill
  /** Draws a QR code by which the provider's app pays. A repeat draws another code for the same payment. */
  readonly drawQr?: (wanted: QrWanted) => Promise<QrDrawn>
  /** Refunds, where the provider has an API for them and we have its credentials. */
  readonly refunds?: Refunds
}

export interface QrWanted {
  /** The shop, as its owner writes it. */
  readonly payeeName: string
  /** The account number that the payer would type in the Pay Bill menu. */
  readonly accountNumber: string
  readonly amountMinor: Minor
}

export type QrDrawn =
  | { readonly kind: 'drawn'; readonly png: Buffer }
  | { readonly kind: 'unavailable'; readonly detail: string }

export type Prepared =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unavailable'; readonly detail: string }

export interface Refunds {
  /** Where the outcome comes from: a callback, a status query, or the answer to the refund order. */
  readonly verdict: 'reported' | 'asked_for' | 'answered'
  /** Orders a refund, at most once. */
  send(order: RefundOrder): Promise<RefundSent>
  /** Asks how a refund stands. The provider's answer comes to `answerUrl`, or is returned. */
  ask(question: RefundQuestion): Promise<RefundAnswer>
}

/** `verdict`: the answer that says how the refund ended, where the provider says so at once. */
export type RefundSent =
  | SubmitOutcome
  | (Extract<SubmitOutcome, { readonly kind: 'accepted' }> & { readonly verdict: Uint8Array })

export interface RefundOrder {
  /** Our id, `rf_` and 24 hex. It names the order at a provider that takes a name of ours. */
  readonly refundId: string
  /** The receipt of the payment to refund. */
  readonly receipt: string
  /** The whole amount that the payer paid. */
  readonly amountMinor: Minor
  readonly currency: Currency
  readonly callbackUrl: string
}

export interface RefundQuestion {
  readonly receipt: string
  /** The provider's id of the refund; absent when its answer was lost. */
  readonly providerRequestId: string | undefined
  readonly answerUrl: string
}

export type RefundAnswer =
  | { readonly kind: 'asked' }
  | { readonly kind: 'answered'; readonly body: Uint8Array }
  | { readonly kind: 'unanswered'; readonly detail: string }

/** A rail with a hosted payment page, which the payer opens in a browser. No phone is prompted. */
export interface CardRail extends AskableRail {
  readonly name: 'card'
  requestIdOf(intentId: string): string
  /** Opens a page in which one order can be paid. Repeating it opens another, and both pay the same order once. */
  openSession(order: CardOrder): Promise<SessionOutcome>
  readonly refunds: Refunds
}

export interface CardOrder {
  readonly intentId: string
  /** The charge: the amount and the fee, a whole number of major units. */
  readonly totalMinor: Minor
  readonly currency: Currency
  /** The address to which the payer's browser returns. It has no query. */
  readonly returnUrl: string
  readonly notificationUrl: string
  readonly lifeSeconds: number
  /** The payer's details as entered; only the provider receives them. */
  readonly payer: CardPayer | undefined
}

/** Payments without a prompt. The provider confirms them to an address that was registered once. */
export interface PayBill {
  readonly shortCode: string
  /** Whether the provider keeps registered addresses for good; a sandbox may have forgotten them at the next start. */
  readonly isRegistrationLasting: boolean
  /** Registers the validation and the confirmation address. Repeating it is safe. */
  register(urls: PayBillUrls): Promise<Registration>
  /** Reads a page of statement rows between two instants, to find payments without a confirmation. */
  listPayments(window: StatementWindow): Promise<Listed>
}

export interface StatementWindow {
  readonly from: Date
  readonly until: Date
  /** The number of rows that are known already. */
  readonly rowOffset: number
}

export type Listed =
  | {
      readonly kind: 'answered'
      readonly bodies: readonly Uint8Array[]
      /** The offset of the next page; absent when this page was the last, or `cutOff` says why there is none. */
      readonly nextRowOffset?: number
      /** Why the rows behind these cannot be requested. */
      readonly cutOff?: string
    }
  /** The provider has not allowed us to read the statement: a person has to apply for that. */
  | { readonly kind: 'not_granted'; readonly detail: string }
  /** No row, and the answer may mean that nothing was paid or that we may not read the statement. */
  | { readonly kind: 'doubtful'; readonly detail: string }
  | { readonly kind: 'unanswered'; readonly detail: string }

export interface PayBillUrls {
  readonly validationUrl: string
  readonly confirmationUrl: string
}

export type Registration =
  | { readonly kind: 'registered' }
  /** The short code has registered addresses already, and the provider does not say which. */
  | { readonly kind: 'registered_before' }
  | { readonly kind: 'unanswered'; readonly detail: string }

export type SignatureCheck = 'right' | 'wrong' | 'absent'

export interface Prompt {
  readonly intentId: string
  /** Digits with the country code. */
  readonly phone: string
  readonly amountMinor: Minor
  /** The reference that the payer sees and the statement repeats: at most 12 letters and digits. */
  readonly attemptReference: string
  /** The shop, as its owner writes it: for fields of description only, by which no money is found. */
  readonly payeeName: string
  readonly callbackUrl: string
  /** In milliseconds since 1970. The prompt is not sent later: the attempt, or even the checkout, may have ended. */
  readonly sendByMs: number
}

export interface StatementSearch {
  readonly attemptReference: string
  readonly submittedAt: Date
}

/** The result of asking a provider: bodies to keep word for word, or nothing that bears on the payment. */
export type Fetched =
  | { readonly kind: 'answered'; readonly bodies: readonly Uint8Array[] }
  | { readonly kind: 'unanswered'; readonly detail: string }

/** Reads a kept body. Pure: the same body always means the same. */
export type Reader = (kind: MessageKind, body: Uint8Array) => Fact

/** The functions of its process that a rail needs. */
export interface RailWiring {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  /** Aborted when the process begins to stop: prompts then leave the line unsent. */
  readonly stopping?: AbortSignal
  /** Shares a provider's limit of calls with the other workers. */
  readonly takeTurn: TakeTurn
  /** Counts an event that may need an operator. */
  readonly countEvent: (name: ProviderEvent) => void
}

export type ProviderEvent =
  | 'provider_throttled'
  | 'provider_token_refused'
  /** The statement had rows whose written time cannot be true. */
  | 'statement_clock'
  /** The provider says that we, not the payer, are wrong: a person has to look. */
  | 'provider_misconfigured'

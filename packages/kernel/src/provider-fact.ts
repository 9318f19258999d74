import type { FailureCause as AnyFailureCause } from './failure-cause'
import type { Minor } from './money'

/** Why an attempt took no money, as far as a provider can say. */
export type ProviderCause = Exclude<AnyFailureCause, 'unconfirmed'>

/** The result of sending a prompt, or of ordering a refund. */
export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly providerRequestId: string }
  /** The provider refused with a code that is in our list of its codes, so the payer got no prompt. */
  | { readonly kind: 'refused'; readonly cause: ProviderCause; readonly providerCode: string }
  /** The prompt or refund has provably not reached the provider. */
  | { readonly kind: 'not_sent'; readonly detail: string }
  /** The prompt or refund may have reached the provider, so it is never sent again. */
  | { readonly kind: 'unknown'; readonly detail: string }

/** The result of opening a page of the card gateway. */
export type SessionOutcome =
  | {
      readonly kind: 'opened'
      readonly sessionId: string
      /** The code that the payer's browser brings back from the page after a payment. */
      readonly successIndicator: string
    }
  | { readonly kind: 'refused'; readonly cause: ProviderCause; readonly providerCode: string }
  /** The session did not reach us, so no payer can pay in it. */
  | { readonly kind: 'not_opened'; readonly detail: string }

export type MessageKind = 'callback' | 'query_answer' | 'statement_row'

/** What a provider's message means. */
export type Fact =
  | {
      readonly kind: 'confirmed'
      /** Absent when a status query says "paid" and has no receipt to give. */
      readonly receipt?: string
      readonly amountMinor?: Minor
      readonly paidAt?: Date
      readonly providerRequestId?: string
      /** True in an answer about a refund by which nothing was given back: the receipt is that of the payment. */
      readonly paymentStands?: true
    }
  | {
      readonly kind: 'declined'
      readonly cause: ProviderCause
      readonly providerCode: string
      readonly providerRequestId?: string
      /** False when the provider's status is a "no" and its reason is not in our list: the cause is a guess. */
      readonly listed?: false
    }
  | PayBillPaid
  /** The provider answers a status query that it knows no such payment. Only the ledger decides what that means. */
  | { readonly kind: 'not_found'; readonly providerCode: string }
  /**
   * The provider has no verdict yet, or answers with a code that is not in our list (`listed` is false). The payment
   * stays pending in both cases.
   */
  | { readonly kind: 'undecided'; readonly providerCode: string; readonly listed: boolean }
  /** The message is not what the provider documents, so a person has to look. */
  | { readonly kind: 'unreadable'; readonly detail: string }

/** A payment from the Pay Bill menu. */
export interface PayBillPaid {
  readonly kind: 'pay_bill_paid'
  readonly receipt: string
  readonly amountMinor: Minor
  /** As the payer typed it. */
  readonly accountNumber: string
  readonly paidAt?: Date
  /**
   * The payer's phone: whole, masked or hashed. By a whole number the ledger also finds the checkout that a payment to
   * a till is for.
   */
  readonly phone?: string
  /** The value from our answer to the validation, which the provider repeats in the confirmation. */
  readonly thirdPartyId?: string
}

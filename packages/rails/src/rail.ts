import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'

/**
 * What every rail that prompts a payer by phone does, in our own words. A provider's words stay in the rail's folder.
 * None of these throws for what a provider or a network does: every such end is a value, because each means something
 * else for the payer's money.
 */
export interface Rail {
  readonly name: MobileRail
  /** Puts the prompt on the wire, at most once. */
  submit(prompt: Prompt): Promise<SubmitOutcome>
  /**
   * The provider's id of the prompt, where the provider takes ours: it can be asked about although the answer was
   * lost, and a repeat is the same prompt. Absent where the provider gives the id (Daraja).
   */
  requestIdOf?(intentId: string): string
  /** Asks how a prompt ended, by the provider's id of it. */
  askStatus(providerRequestId: string): Promise<Fetched>
  /** Looks for the payment itself in the provider's statement: one body for each row that names the attempt. */
  findInStatement(search: StatementSearch): Promise<Fetched>
  /** Checks the seal of a callback, where there is one. It is counted and never relied on: the verdict is fetched. */
  checkSeal?(body: Uint8Array): Seal
  /** Where payers may also pay from a menu of their own, without being asked. */
  readonly payBill?: PayBill
}

/** Money that comes without a prompt: the provider tells an address that was registered once. */
export interface PayBill {
  /** Tells the provider where to ask before, and where to tell after. Repeating it is safe. */
  register(urls: PayBillUrls): Promise<Registration>
  /** The statement's rows between two instants: what came although nobody told us. */
  listPayments(from: Date, until: Date): Promise<Fetched>
}

export interface PayBillUrls {
  readonly validationUrl: string
  readonly confirmationUrl: string
}

export type Registration =
  { readonly kind: 'registered' } | { readonly kind: 'unanswered'; readonly detail: string }

export type Seal = 'right' | 'wrong' | 'absent'

export interface Prompt {
  readonly intentId: string
  /** Digits with the country code. */
  readonly phone: string
  readonly amountMinor: Minor
  /** What the payer is shown and the statement repeats: at most 12 letters and digits. */
  readonly attemptReference: string
  readonly callbackUrl: string
}

export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly providerRequestId: string }
  /** The provider said no, in words of a closed list: nothing was asked of the payer. */
  | { readonly kind: 'refused'; readonly cause: FailureCause; readonly providerCode: string }
  /** Proven not to have reached the provider. */
  | { readonly kind: 'not_sent'; readonly detail: string }
  /** The prompt may be on its way. It is never sent again. */
  | { readonly kind: 'unknown'; readonly detail: string }

export interface StatementSearch {
  readonly attemptReference: string
  readonly submittedAt: Date
}

/** What came of asking a provider: bodies to keep word for word, or nothing that bears on the payment. */
export type Fetched =
  | { readonly kind: 'answered'; readonly bodies: readonly Uint8Array[] }
  | { readonly kind: 'unanswered'; readonly detail: string }

export type MessageKind = 'callback' | 'query_answer' | 'statement_row'

/** Reads a kept body. Pure: the same body always means the same. */
export type Reader = (kind: MessageKind, body: Uint8Array) => Fact

export type Fact =
  | {
      readonly kind: 'confirmed'
      /** Absent when a status query says "paid" and has no receipt to give. */
      readonly receipt?: string
      readonly amountMinor?: Minor
      readonly paidAt?: Date
      readonly providerRequestId?: string
    }
  | {
      readonly kind: 'declined'
      readonly cause: FailureCause
      readonly providerCode: string
      readonly providerRequestId?: string
    }
  | {
      readonly kind: 'pay_bill_paid'
      readonly receipt: string
      readonly amountMinor: Minor
      /** As the payer typed it. */
      readonly accountNumber: string
      readonly paidAt?: Date
      /** In digits, masked or hashed: it only ever is shown. */
      readonly phone?: string
      /** What our answer to the validation said, brought back. */
      readonly thirdPartyId?: string
    }
  /** No verdict yet, or (not `listed`) a code that we have no row for: pending either way. */
  | { readonly kind: 'undecided'; readonly providerCode: string; readonly listed: boolean }
  /** Not what the provider documents: a person has to look. */
  | { readonly kind: 'unreadable'; readonly detail: string }

/** Why an attempt took no money, as far as a provider can say. */
export type FailureCause =
  | 'wrong_pin'
  | 'no_funds'
  | 'cancelled'
  | 'no_answer'
  | 'prompt_expired'
  | 'session_open'
  | 'busy'
  | 'over_limit'
  | 'not_registered'
  | 'locked'
  | 'refused'
  /** The provider has never heard of the prompt. */
  | 'not_started'

/** What a rail needs of the process it lives in. */
export interface RailWiring {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  /** Counts something that somebody may want to be woken by. */
  readonly happened: (name: Happening) => void
}

export type Happening =
  | 'provider_throttled'
  | 'provider_token_refused'
  /** The provider says that we, not the payer, are wrong: a person has to look. */
  | 'provider_misconfigured'

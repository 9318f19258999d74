import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { IntentInitialEvent, IntentEvent, IntentStatus } from '../../intents/rules/intent'
import type { SuspenseReason, Disposition, WalletState } from '../../journal/rules/postings'
import type { RefundStatus } from '../../refunds/rules/refund'
import type { NotedEvent } from '../../webhooks/rules/payment-event'
import type { EvidenceResult, FactKind, MessageKind, Outcome, Strength } from './evidence'

/** Microseconds since 1970, UTC: PostgreSQL's own resolution, and exact in a double until the year 2255. */
export type Instant = number

export function later(at: Instant, seconds: number): Instant {
  return at + seconds * 1_000_000
}

/** What a message says, in our own words. */
export interface Fact {
  readonly kind: Exclude<FactKind, 'declined_after_paid'>
  readonly receipt?: string | undefined
  readonly amountMinor?: Minor | undefined
  readonly paidAt?: Date | undefined
  readonly providerRequestId?: string | undefined
  readonly cause?: FailureCause
  readonly providerCode?: string
  /** The body carries the provider's signature, and it is right. */
  readonly isSigned?: boolean
  /** An answer about a refund says that nothing was given back, whatever receipt the payment has. */
  readonly paymentStands?: boolean | undefined
}

/** The answer to the application of a message. */
export interface Applied extends Outcome {
  /** The status of the intent, or null when the money belongs to none. */
  readonly status: IntentStatus | null
}

/** A stored message, with its result if it was applied before. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  readonly isSourceKnown: boolean
  readonly result: EvidenceResult | null
  readonly strength: Strength | null
}

/** The columns of an intent that evidence can change. */
export interface Course {
  readonly status: IntentStatus
  readonly event: IntentEvent | IntentInitialEvent
  readonly endedAt: Instant | null
  readonly deadlineAt: Instant | null
  readonly nextActionAt: Instant | null
  readonly queryAt: Instant | null
  readonly receiptWanted: boolean
  readonly deniedCode: string | null
  readonly deniedAt: Instant | null
  readonly cause: FailureCause | null
  readonly providerCode: string | null
  readonly settledMinor: Minor | null
  readonly receipt: string | null
  readonly settledAt: Instant | null
  readonly disposition: Disposition | 'placed' | 'refunded' | null
  readonly reportedAt: Instant | null
  readonly heldUntil: Instant | null
  /** The provider's id of the prompt in an E3 callback, where the answer to our own call was lost. */
  readonly callbackRequestId: string | null
}

/** What an intent has from its beginning, and keeps. */
export interface NewIntent {
  readonly id: string
  readonly checkoutId: string | null
  /** The account that an intent by handle pays; null where there is a checkout. */
  readonly accountId: string | null
  readonly handle: string | null
  readonly rail: Rail
  /** Null where the payer gave none, as by card. */
  readonly phone: string | null
  readonly amountMinor: Minor
  /** The amount that the payer is asked for. */
  readonly askedMinor: Minor
}

export interface Intent extends Course, NewIntent {
  readonly providerRequestId: string | null
  readonly submittedAt: Instant | null
  readonly askedAt: Instant | null
}

/** A report of payment that is listed for an intent. */
export interface Report {
  /** '' where the report names none. */
  readonly receipt: string
  readonly minor: Minor
  readonly strength: Strength
  readonly paidAt: Instant | null
  /** The provider's id of the prompt in the report; null where that is not known. */
  readonly requestId: string | null
  /** The journal has the receipt. */
  readonly isPosted: boolean
  /** The journal had the receipt for another payment, or for none, when the report came. */
  readonly isElsewhere: boolean
  /** Two operators have closed the report, because the provider knows nothing of its payment. */
  readonly isClosed: boolean
}

/** A receipt that a message names for an intent, and that the journal has for another payment, or for none. */
export interface ReceiptElsewhere {
  readonly receipt: string
  /** The account that has its money; null when the money went back. */
  readonly holder: string | null
  readonly minor: Minor
  readonly refunds: readonly RefundStatus[]
  /** An intent has this receipt. */
  readonly isOwned: boolean
  readonly paidAt: Instant
  /** Its payer typed an account number; null where that is not known. */
  readonly hasAccountNumber: boolean | null
  /** Its payee is still looked up, or an operator has asked for a placement. */
  readonly isClaimed: boolean
}

export interface Transfer {
  readonly eventKey: string
  readonly leg: number
  readonly debit: string
  readonly credit: string
  readonly minor: Minor
  readonly eventAt: Instant
}

/** An intent that is created for money which no intent asked for: it begins with the event `matched`. */
export interface MatchedIntent extends NewIntent {
  readonly status: IntentStatus
  readonly event: IntentInitialEvent
  readonly settledMinor: Minor
  readonly receipt: string
  readonly disposition: Disposition
}

export interface SuspenseItem {
  readonly eventKey: string
  readonly reason: SuspenseReason
  readonly intentId: string | null
  readonly minor: Minor
  readonly hasAccountNumber?: boolean | undefined
}

export interface NotedReport extends Omit<Report, 'isPosted' | 'isClosed'> {
  readonly intentId: string
  readonly messageId: string
  readonly provider: string
}

export interface NotedPayBillReport {
  readonly messageId: string
  readonly receipt: string
  readonly checkoutId: string | null
  readonly minor: Minor
  readonly heldUntil: Instant
}

export interface AppliedMessage {
  readonly id: string
  readonly fact: FactKind
  readonly strength: Strength
  readonly result: EvidenceResult
  readonly receipt: string | null
}

export interface Writes {
  readonly message: AppliedMessage
  readonly transfers: readonly Transfer[]
  readonly intent?: (Course & { readonly id: string }) | undefined
  readonly matched?: MatchedIntent | undefined
  readonly suspense?: SuspenseItem | undefined
  readonly report?: NotedReport | undefined
  readonly payBillReport?: NotedPayBillReport | undefined
  /** The receipt of money whose payee has to be looked up again. */
  readonly wantedPayee?: string | undefined
  /** The event that the account of the checkout is notified of. */
  readonly paymentEvent?: NotedEvent | undefined
}

export interface Decided {
  readonly applied: Applied
  /** Absent where the message was applied before. */
  readonly writes?: Writes
}

export interface EvidenceCommand {
  readonly messageId: string
  readonly fact: Fact
  /** The id for a receipt that needs a new intent. */
  readonly newIntentId: string
}

export interface EvidenceTerms {
  readonly queryEverySeconds: number
  readonly denyAfterSeconds: number
  /** How long a report of payment that is not confirmed keeps its intent open. */
  readonly reportHoldSeconds: number
  /** The most that a callback settles before the provider's own answer confirms it. */
  readonly unconfirmedMaxMinor: bigint
}

/** All that a decision about an intent may depend on, as read under the locks. */
export interface EvidenceState {
  readonly now: Instant
  readonly message: Message & {
    readonly isBound: boolean
    readonly receivedAt: Instant
  }
  readonly intent: Intent
  /** The account whose wallet the intent pays into. */
  readonly payeeAccountId: string
  readonly wallet: WalletState
  /** An intent of its checkout has paid the merchant. */
  readonly isCheckoutPaid: boolean
  readonly card: { readonly feeMinor: Minor; readonly expiresAt: Instant } | undefined
  /**
   * Where an earlier hint that says "declined" came from: a browser too can open the return address of a card page. A
   * hint that is neither bound to the intent nor signed does not count.
   */
  readonly declinedHint: 'none' | 'unknown_source' | 'known_source'
  /** The journal has the receipt that the message names. */
  readonly isPosted: boolean
  /** Our own call was not answered, and the id of the prompt in the message is that of another intent of the rail. */
  readonly isRequestTaken: boolean
  /** Two operators have posted the money of the intent, by the receipt that they read in the provider's portal. */
  readonly isPostedByHand: boolean
  readonly reports: readonly Report[]
  /** The receipts named for an unsettled intent that the journal has for another payment, or for no payment. */
  readonly elsewhere: readonly ReceiptElsewhere[]
}

import type { Minor } from '@malipo/kernel/money'
import type { Provider } from '../../journal/rules/postings'
import type { NotedEvent } from '../../webhooks/rules/payment-event'
import type {
  AppliedMessage,
  Course,
  Instant,
  Intent,
  Message,
  Transfer,
} from '../../evidence/rules/state'
import type { RefundStatus } from './refund'

/** Who sends the money: we ask the provider for it, or it was done there and is written down. */
export type RefundSender = 'us' | 'provider'

/** How two operators say that a refund ended. */
export type RefundEnd = 'paid' | 'failed'

/** The columns of a refund that change. */
export interface RefundCourse {
  readonly status: RefundStatus
  readonly decidedBy: string | null
  readonly decidedAt: Instant | null
  readonly submittedAt: Instant | null
  readonly providerRequestId: string | null
  readonly providerCode: string | null
  readonly endedAt: Instant | null
  readonly nextActionAt: Instant | null
  readonly closing: RefundEnd | null
  readonly closingAskedBy: string | null
  readonly closedBy: string | null
}

export interface Refund extends RefundCourse {
  readonly id: string
  readonly provider: Provider
  readonly receipt: string
  readonly minor: Minor
  readonly sentBy: RefundSender
  readonly askedBy: string
  /** The secret in the address where the provider reports the end. */
  readonly callbackSecret: string
}

/** Where the money of a receipt is. */
export interface ReceiptMoney {
  /** The account that has it, or null where it went back to the payer. */
  readonly holder: string | null
  /** What came in, without the fee of a card. */
  readonly minor: Minor
  readonly feeMinor: Minor
  /** The whole balance of the holder. */
  readonly holderMinor: Minor
}

/** All that a decision about a refund may depend on, as read under the locks. */
export interface RefundState {
  readonly now: Instant
  readonly refund: Refund
  /** The other refunds of the same receipt. */
  readonly others: readonly Refund[]
  /** Undefined for a receipt that was never posted. */
  readonly money: ReceiptMoney | undefined
  /** The intents that have the receipt. */
  readonly intents: readonly Intent[]
  /** The stored message that is applied, if one is. */
  readonly message: (Message & { readonly receivedAt: Instant }) | undefined
}

/** All that a request for a refund may depend on, as read under the lock of its receipt. */
export interface ReceiptState {
  readonly now: Instant
  /** Undefined for a receipt that was never posted. */
  readonly money: Pick<ReceiptMoney, 'holder' | 'minor' | 'feeMinor'> | undefined
  readonly refunds: readonly RefundStatus[]
  /** False where workers have lately named the rails by which they send refunds, and none of them this one. */
  readonly isSentByWorkers: boolean
}

export interface OperatorAction {
  readonly operator: string
  readonly did: string
  readonly subject: string
  readonly note: string
}

export interface RefundWrites {
  readonly refunds: readonly (RefundCourse & { readonly id: string })[]
  /** Refunds of the same receipt, by their ids, that are not sent any more. */
  readonly withdrawn?: readonly string[]
  readonly transfers: readonly Transfer[]
  readonly intents: readonly (Course & { readonly id: string })[]
  readonly paymentEvents?: readonly NotedEvent[]
  readonly message?: AppliedMessage
  readonly action?: OperatorAction
}

export interface RefundDecided<Answer> {
  readonly applied: Answer
  /** Absent where nothing changes. */
  readonly writes?: RefundWrites
}

/** `mpesa:QK12345678` */
export function subjectOf({ provider, receipt }: Pick<Refund, 'provider' | 'receipt'>): string {
  return `${provider}:${receipt}`
}

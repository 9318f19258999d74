import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { IntentStatus } from './intent'

export type CheckoutStatus = 'open' | 'completed' | 'expired'

export interface CheckoutFacts {
  /** Money for it went to the merchant, and has perhaps been given back since: there is no way back from completed. */
  readonly isCompleted: boolean
  /** An attempt is, or a payment that was reported and waits to be borne out. */
  readonly isInFlight: boolean
  /** Its expiry time has passed, by the database clock. */
  readonly isTimeUp: boolean
}

/** Computed at each reading and never stored, so that nothing has to happen at the moment of expiry. */
export function checkoutStatus(facts: CheckoutFacts): CheckoutStatus {
  if (facts.isCompleted) return 'completed'
  return facts.isInFlight || !facts.isTimeUp ? 'open' : 'expired'
}

/** What the merchant agreed to be paid. */
export interface Order {
  readonly checkoutId: string
  readonly accountId: string
  readonly amountMinor: Minor
  readonly reference?: string | undefined
  readonly description?: string | undefined
  readonly returnUrl?: string | undefined
  readonly phone?: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A checkout as its merchant and its payer read it. */
export interface Checkout extends Order {
  readonly status: CheckoutStatus
  readonly completedAt: Date | undefined
  /** The attempt that settled it, else the newest. */
  readonly payment: Payment | undefined
  /** The attempt that a payer watches: the one that settled it, else the one in flight. */
  readonly watchedIntentId: string | undefined
  /** The attempt that settled it, else the newest. */
  readonly attempt: Attempt | undefined
  /** Attempts that ended without money. */
  readonly failedAttempts: number
  /** Money of an attempt is held for a person, or may still arrive: who is told to pay again may pay twice. */
  readonly mayHavePaid: boolean
  /** A payment was reported, and two operators found that it was not made. */
  readonly isFoundUnpaid: boolean
  /** The rail whose status answers alone ended an attempt as not paid, the newest such: they have been wrong. */
  readonly deniedRail: Rail | undefined
  /** When a payment from the Pay Bill menu was reported that nothing bears out yet; undefined when that is too long ago. */
  readonly payBillReportedAt: Date | undefined
  readonly isWalletOpen: boolean
  readonly cardEnabled: boolean
  /** What a payer types as the account in the Pay Bill menu, where there is one. */
  readonly payBillNumber: string | undefined
}

export interface Payment {
  readonly intentId: string
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  /** Undefined where the payer gave none, as by card. */
  readonly phone: string | undefined
  readonly rail: Rail
  readonly cause: FailureCause | undefined
}

export interface Attempt {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly phone: string | undefined
  readonly cause: FailureCause | undefined
  readonly startedAt: Date
  /** Of an attempt in flight that prompts a phone. */
  readonly prompt?: OpenPrompt | undefined
  /** When the provider reported it as paid; undefined unless that report waits to be confirmed. */
  readonly reportedAt: Date | undefined
}

/** What a payer has to know of a prompt that is on its way, or on the phone. */
export interface OpenPrompt {
  /** The account that the phone shows. */
  readonly attemptReference: string
  /** Another prompt is open on the phone or goes first: this one is sent after it, or given up. */
  readonly isQueued: boolean
  /** When the provider was asked to send it. */
  readonly sentAt: Date | undefined
  /** When the wait for an answer ends, if none comes before. */
  readonly deadlineAt: Date | undefined
  /** The provider's answer to the push is not known: the prompt may come to the phone, or never. */
  readonly isUnanswered: boolean
}

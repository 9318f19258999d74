import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { IntentStatus } from '../intent'
import { type Instant, later } from '../settlement/state'
import type { WalletState } from '../settle'

/** An attempt as the public reads it. */
export interface Intent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: Minor
  readonly settledMinor: Minor | null
}

/** An attempt that a checkout has already. */
export interface EarlierAttempt extends Intent {
  readonly createdAt: Instant
  /** It asks a payer over a phone: one that was born with its money never did. */
  readonly isPrompt: boolean
  readonly isOver: boolean
  /** Its money went to the merchant. */
  readonly isPaid: boolean
}

/** What the idempotency key of a request was bound to before. */
export interface BoundKey {
  readonly intentId: string
  readonly isSameInput: boolean
}

/** What a new attempt of a checkout is decided on, as it was behind the locks. */
export interface CheckoutState {
  readonly now: Instant
  readonly checkoutId: string
  readonly amountMinor: Minor
  readonly expiresAt: Instant
  readonly wallet: WalletState
  readonly bound: BoundKey | undefined
  readonly attempts: readonly EarlierAttempt[]
}

/** The columns of an attempt that begins, each with its value. */
export interface NewAttempt {
  readonly id: string
  /** Null of an attempt to pay a handle, which has an account and a handle in its place. */
  readonly checkoutId: string | null
  readonly accountId: string | null
  readonly handle: string | null
  readonly rail: Rail
  /** Null where the payer gave none, as by card. */
  readonly phone: string | null
  readonly amountMinor: Minor
  /** What the payer is asked for. */
  readonly askedMinor: Minor
  readonly createdAt: Instant
  readonly deadlineAt: Instant
  readonly nextActionAt: Instant
  /** Both null of an attempt by card. */
  readonly callbackSecret: string | null
  readonly attemptReference: string | null
  /** Of an attempt by card: the page that it is paid in. */
  readonly page?: NewPage
}

export interface NewPage {
  readonly feeMinor: Minor
  readonly expiresAt: Instant
  /** For the card gateway alone. */
  readonly sealedPayer: Buffer | undefined
}

/** Begins the deadline of an attempt. A worker is told at once; where that is lost, the sweep takes the row a second later. */
export function beginsAt(now: Instant, startSeconds: number) {
  return {
    createdAt: now,
    deadlineAt: later(now, startSeconds),
    nextActionAt: later(now, 1),
  }
}

const hourSeconds = 3_600

/**
 * How long until fewer than `max` of the moments lie within an hour, in whole seconds; undefined when it is so now. The
 * attempts themselves are what is counted.
 */
export function waitSeconds(
  now: Instant,
  moments: readonly Instant[],
  max: number,
): number | undefined {
  const newestFirst = moments.toSorted((one, other) => other - one)
  const oldest = newestFirst[max - 1]
  if (oldest === undefined || later(oldest, hourSeconds) <= now) return undefined
  return Math.ceil((later(oldest, hourSeconds) - now) / 1_000_000)
}

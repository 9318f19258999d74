import type { Minor } from '@malipo/kernel/money'
import type { WalletState } from '../settle'
import type { Fact, Instant, Intent, Message, Report } from './state'

export interface EvidenceCommand {
  readonly messageId: string
  readonly fact: Fact
  /** For a receipt that needs an intent of its own. */
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

/** All that a decision about an intent may depend on, as it was behind the locks. */
export interface EvidenceState {
  readonly now: Instant
  readonly message: Message & {
    readonly isBound: boolean
    readonly receivedAt: Instant
  }
  readonly intent: Intent
  /** Whose wallet it pays into. */
  readonly payeeAccountId: string
  readonly wallet: WalletState
  /** An intent of its checkout has paid the merchant. */
  readonly isCheckoutPaid: boolean
  readonly card: { readonly feeMinor: Minor; readonly expiresAt: Instant } | undefined
  /** Where an earlier hint that says "declined" came from: a browser too can open the return address of a card page. */
  readonly declinedHint: 'none' | 'unknown_source' | 'known_source'
  /** The journal has the receipt that the message names. */
  readonly isPosted: boolean
  readonly reports: readonly Report[]
}

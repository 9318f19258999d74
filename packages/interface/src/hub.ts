import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { WalletMove } from '@malipo/kernel/wallet-move'
import type { CheckoutStatus, IntentStatus } from './fields'

/**
 * What the hub's routes answer as `data`, and what its pages read: one contract for both sides. Amounts are decimal
 * strings of minor units, instants ISO 8601 in UTC, phones masked.
 */

/** The most checkouts in a CSV file, the newest ones. An owner who has more filters by days. */
export const exportedCheckoutsMax = 5_000

/** The most checkouts that a search finds, the same as in the ledger. One more letter finds fewer. */
export const foundCheckoutsMax = 500

/** The most entries in a statement, which take two hundred calls to the ledger. More are refused. */
export const statementEntriesMax = 10_000

export type CountryCode = 'KE' | 'UG'
type Instant = string
type MinorText = string

export interface AccountView {
  readonly username: string
  readonly display_name: string
  readonly profile_image_url: string | null
  readonly home_country: CountryCode
}

export interface SessionView {
  readonly account: AccountView
  readonly session_id: string
  /** The pages send this token as `X-CSRF-Token` with every request except the one that reads the session. */
  readonly csrf_token: string
  readonly has_pin: boolean
  readonly currency: 'KES' | 'UGX'
  readonly amounts: { readonly min: MinorText; readonly max: MinorText; readonly whole: boolean }
  /** The payments host of the home country. */
  readonly payments_url: string
}

export interface SignInSessionView {
  readonly session_id: string
  readonly is_this_one: boolean
  readonly created_at: Instant
  readonly last_seen_at: Instant
  readonly expires_at: Instant
  readonly address: string
  readonly user_agent: string
}

export interface KeyView {
  readonly key_id: string
  readonly prefix: string
  readonly last_four: string
  readonly created_at: Instant
  readonly last_used_at: Instant | null
  readonly revoked_at: Instant | null
}

export interface NewKeyView {
  /** Only this answer shows the whole key; later ones show the prefix and the last four characters. */
  readonly secret_key: string
  readonly key: KeyView
}

export interface CheckoutView {
  readonly id: string
  readonly status: CheckoutStatus
  readonly amount: MinorText
  readonly currency: string
  readonly reference: string | null
  readonly description: string | null
  readonly created_at: Instant
  readonly expires_at: Instant
  readonly completed_at: Instant | null
  readonly paid_after_expiry: boolean
  /**
   * Whether money for the checkout is held, because it came twice, does not match, is not confirmed, or could not be
   * put into the wallet.
   */
  readonly money_held: boolean
  /** Whether operators found that the reported payment was not made, and no attempt can still bring money. */
  readonly found_unpaid: boolean
  /** When the checkout was reported as paid; null unless that report still waits to be confirmed. */
  readonly reported_at: Instant | null
  /** Whether money of any try is held or may still arrive, while the checkout is not completed. */
  readonly may_have_paid: boolean
  readonly payment: PaymentView | null
}

export interface PaymentView {
  readonly intent_id: string
  readonly status: IntentStatus
  readonly amount_settled: MinorText | null
  readonly provider_receipt: string | null
  /** Null where the payer gave none, as by card. */
  readonly phone: string | null
  readonly rail: Rail
  readonly cause: FailureCause | null
}

export interface CheckoutPage {
  readonly checkouts: readonly CheckoutView[]
  readonly has_more: boolean
}

export interface TimelineView {
  readonly checkout: CheckoutView
  readonly return_url: string | null
  readonly url: string
  readonly paybill_account_number: string | null
  readonly attempts: readonly AttemptView[]
}

export interface AttemptView extends PaymentView {
  readonly started_at: Instant
  /** Why the money of the attempt is held: `duplicate`, `mismatch`, `unmatched` or `unconfirmed`. */
  readonly held_because: string | null
  /** When the money was taken out of the wallet, because the provider's statement does not show the payment. */
  readonly frozen_at: Instant | null
  /** When the frozen money came back to the wallet. */
  readonly returned_at: Instant | null
  readonly steps: readonly { readonly status: IntentStatus; readonly at: Instant }[]
}

export interface LinkView {
  readonly handle: string
  readonly url: string
  readonly title: string | null
  readonly amount: MinorText | null
  readonly created_at: Instant
  readonly closed_at: Instant | null
}

export interface WalletView {
  readonly balance: MinorText
  readonly currency: string
  readonly opened_at: Instant
  /** Since when operators have frozen the wallet; null while it takes payments. */
  readonly frozen_at: Instant | null
  /** The money of payments taken out of the wallet and held, because the provider's statement does not show them. */
  readonly unconfirmed: MinorText
}

export interface WalletEntryView {
  readonly entry_id: string
  /** Negative when the money went out. */
  readonly amount: string
  readonly at: Instant
  readonly provider: string | null
  readonly receipt: string | null
  readonly checkout_id: string | null
  readonly reference: string | null
  /** The username or the address of a link that was paid; null for a checkout, or when the handle is not known. */
  readonly handle: string | null
  readonly link_title: string | null
  /** The payer's number, masked; null where none is known. */
  readonly phone: string | null
  readonly move: WalletMove
}

export interface WalletEntryPage {
  readonly entries: readonly WalletEntryView[]
  readonly has_more: boolean
}

export interface SummaryView {
  /** The most days that `days` has. It has fewer when their payments are too many to count. */
  readonly days_max: number
  /** Local days, oldest first, today last. Empty when even today has too many payments to count. */
  readonly days: readonly PaymentDayView[]
  /** Why attempts of these days took no money, the commonest cause first. */
  readonly causes: readonly UnpaidCauseView[]
  /** Checkouts for which money is held; at most 500. */
  readonly held_checkouts: number
  readonly webhooks_off: number
  /** Endpoints that are on and to which no attempt has succeeded since the first one that failed. */
  readonly webhooks_failing: number
}

export interface PaymentDayView {
  readonly day: string
  readonly rails: readonly {
    readonly rail: Rail
    readonly paid: number
    readonly received: MinorText
    /** Attempts that ended without money. */
    readonly unpaid: number
    /** Attempts without an answer, reported as paid, or lately denied by status answers alone: their money may still come. */
    readonly unconfirmed: number
  }[]
}

export interface UnpaidCauseView {
  readonly rail: Rail
  readonly cause: FailureCause | null
  readonly count: number
}

export interface RequestView {
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: number | null
  readonly milliseconds: number
  readonly at: Instant
}

export interface RequestPage {
  readonly requests: readonly RequestView[]
  readonly has_more: boolean
}

export interface AuditEventView {
  readonly event_id: string
  readonly action: string
  readonly at: Instant
  readonly subject: string
  readonly address: string
  readonly user_agent: string
}

export interface AuditEventPage {
  readonly events: readonly AuditEventView[]
  readonly has_more: boolean
}

export interface WebhookEndpointView {
  readonly endpoint_id: string
  readonly url: string
  readonly created_at: Instant
  /**
   * Null while the endpoint is on. `gone`: it answered 410; `failing`: it took nothing for 5 days; `not_registered`: it
   * was never on.
   */
  readonly off_because: 'gone' | 'failing' | 'not_registered' | null
  readonly off_at: Instant | null
  /** Since when no attempt has succeeded. */
  readonly failing_since: Instant | null
  /** Until when deliveries are signed with the previous secrets as well. */
  readonly previous_secret_until: Instant | null
}

export interface WebhookDeliveryView {
  readonly delivery_id: string
  readonly endpoint_id: string
  readonly type: string
  /** The id of the checkout; for a test event, the id of the endpoint. */
  readonly subject_id: string
  readonly created_at: Instant
  readonly status: 'pending' | 'delivered' | 'given_up'
  readonly attempts: number
  /** When the newest attempt was made. */
  readonly attempted_at: Instant | null
  readonly answer_status: number | null
  readonly failure: string | null
  readonly duration_ms: number | null
  readonly next_attempt_at: Instant | null
}

export interface WebhooksView {
  readonly endpoints: readonly WebhookEndpointView[]
  readonly deliveries: readonly WebhookDeliveryView[]
}

export interface ResentView {
  /** The number of deliveries that are on their way again. */
  readonly resent: number
  /** Whether there may be more deliveries to resend: the same request again resends the next ones. */
  readonly has_more: boolean
}

export interface NewWebhookSecretView {
  readonly endpoint_id: string
  /** Only this answer shows the secret. */
  readonly secret: string
}

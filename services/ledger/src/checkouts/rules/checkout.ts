import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import {
  type Attempt,
  type AttemptFacts,
  attemptOf,
  type AttemptsSummary,
  isDeniedByAnswers,
  openReportOf,
  type Payment,
  paymentOf,
  summarize,
} from '../../intents/rules/attempt'
import { watchedSeconds } from '../../intents/rules/decide-begin-query'
import { type Instant, later } from '../../evidence/rules/state'

export interface CreateRequest {
  readonly amountMinor: Minor
  /** SHA-256 of the input in hex. Present with an idempotency key. */
  readonly fingerprint: string | undefined
}

export interface CreateState {
  /** The checkout that the idempotency key made before. Undefined for a new key, and for a request without a key. */
  readonly earlier: { readonly checkoutId: string; readonly fingerprint: string } | undefined
  /** The account has a wallet here, and the wallet is not frozen. */
  readonly isWalletOpen: boolean
}

export type CreateRefusal = 'idempotency_mismatch' | 'amount_outside_limits' | 'checkout_not_found'

export type CreateDecision =
  | { readonly outcome: 'create' }
  | { readonly outcome: 'replayed'; readonly checkoutId: string }
  | { readonly outcome: CreateRefusal }

/** The state that most requests find. The save writes a checkout in this state only. */
export const ordinaryState: CreateState = { earlier: undefined, isWalletOpen: true }

/**
 * Decides about a request to create a checkout. The idempotency key is checked first, because a repeated request gets
 * the first answer again, whatever the limits and the wallet are now.
 */
export function decideCreateCheckout(
  { earlier, isWalletOpen }: CreateState,
  { amountMinor, fingerprint }: CreateRequest,
  country: CountryRules,
): CreateDecision {
  if (earlier !== undefined) {
    if (earlier.fingerprint !== fingerprint) return { outcome: 'idempotency_mismatch' }
    return { outcome: 'replayed', checkoutId: earlier.checkoutId }
  }
  if (!isWithinLimits(country, amountMinor)) return { outcome: 'amount_outside_limits' }
  return { outcome: isWalletOpen ? 'create' : 'checkout_not_found' }
}

export type CheckoutStatus = 'open' | 'completed' | 'expired'

export interface StatusFacts {
  /**
   * Money for the checkout went to the merchant. A refund does not undo this, as a completed checkout stays completed.
   */
  readonly isCompleted: boolean
  /** An attempt is in flight, or a reported payment from the Pay Bill menu waits to be confirmed. */
  readonly isInFlight: boolean
  /** Its expiry time has passed, by the database clock. */
  readonly isTimeUp: boolean
}

/** The status is computed at each reading and never stored, so that nothing has to happen at the moment of expiry. */
export function checkoutStatus(facts: StatusFacts): CheckoutStatus {
  if (facts.isCompleted) return 'completed'
  return facts.isInFlight || !facts.isTimeUp ? 'open' : 'expired'
}

/**
 * Texts that a merchant may give a checkout. Each is stored in the column of its name (`return_url`) and read back
 * unchanged.
 */
export const orderTexts = ['reference', 'description', 'returnUrl', 'phone'] as const

export type OrderTexts = Readonly<Partial<Record<(typeof orderTexts)[number], string | undefined>>>

/** What a checkout asks for. None of it changes once the checkout is created. */
export interface Order extends OrderTexts {
  readonly checkoutId: string
  readonly accountId: string
  readonly amountMinor: Minor
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A checkout as its merchant and its payer read it. */
export interface Checkout extends Order, AttemptsSummary {
  readonly status: CheckoutStatus
  readonly completedAt: Date | undefined
  /** The attempt that settled it, else the newest. */
  readonly payment: Payment | undefined
  /** The attempt that the payer page watches: the one that settled the checkout, else the one in flight. */
  readonly watchedIntentId: string | undefined
  /** The attempt that settled it, else the newest. */
  readonly attempt: Attempt | undefined
  /** The time of the first report of payment that still waits to be confirmed. */
  readonly reportedAt: Date | undefined
  /** Only status answers deny an attempt whose prompt is younger than `watchedSeconds`, so its money may still come. */
  readonly isDenialRecent: boolean
  /**
   * The time of the report of an unconfirmed Pay Bill payment. Undefined once the report no longer keeps the checkout
   * open.
   */
  readonly payBillReportedAt: Date | undefined
  readonly isWalletOpen: boolean
  readonly cardEnabled: boolean
  /** What a payer types as the account in the Pay Bill menu, where there is one. */
  readonly payBillNumber: string | undefined
}

/** A checkout as it is stored, with all that is known of its payment. */
export interface CheckoutFacts {
  readonly order: Order
  readonly now: Instant
  readonly expiresAt: Instant
  readonly isWalletOpen: boolean
  readonly cardEnabled: boolean
  readonly payBillNumber: string | undefined
  /** In the order in which they began. */
  readonly attempts: readonly AttemptFacts[]
  readonly payBillReports: readonly PayBillReports[]
}

/** Reports of payments from the Pay Bill menu for one checkout, grouped by whether they are posted and closed. */
export interface PayBillReports {
  readonly isPosted: boolean
  /** Two operators closed them. */
  readonly isClosed: boolean
  /** When the first of them came. */
  readonly reportedAt: Date
  /**
   * Until when the first of them keeps the checkout open. Later ones, which may be forged, do not keep it open longer.
   */
  readonly heldUntil: Instant | null
}

export function presentCheckout(facts: CheckoutFacts): Checkout {
  const { order, now, expiresAt, attempts, isWalletOpen, cardEnabled, payBillNumber } = facts
  const settled = attempts.find(({ disposition }) => disposition === 'merchant')
  const inFlight = attempts.find(({ isEnded }) => !isEnded)
  const shown = settled ?? attempts.at(-1)
  const summary = summarize(attempts)
  const menu = judgeReports(facts.payBillReports, now)
  return {
    ...order,
    ...summary,
    status: checkoutStatus({
      isCompleted: settled !== undefined,
      isInFlight: inFlight !== undefined || menu.heldSince !== undefined,
      isTimeUp: now >= expiresAt,
    }),
    completedAt: settled?.settledAt,
    payment: shown && paymentOf(shown),
    watchedIntentId: (settled ?? inFlight)?.intentId,
    attempt: shown && attemptOf(shown),
    reportedAt: earliest(attempts.map(openReportOf)),
    isDenialRecent: attempts.some((one) => isDeniedByAnswers(one) && isRecent(one, now)),
    mayHavePaid: summary.mayHavePaid || menu.mayHavePaid,
    isFoundUnpaid: summary.isFoundUnpaid || menu.isFoundUnpaid,
    payBillReportedAt: menu.heldSince,
    ...{ isWalletOpen, cardEnabled, payBillNumber },
  }
}

/** What reports from the Pay Bill menu mean for their checkout. A posted report does not count, as it has become an attempt. */
function judgeReports(reports: readonly PayBillReports[], now: Instant) {
  const unposted = reports.filter(({ isPosted }) => !isPosted)
  const waiting = unposted.find(({ isClosed }) => !isClosed)
  const isHeld = waiting !== undefined && now < (waiting.heldUntil ?? 0)
  return {
    mayHavePaid: waiting !== undefined,
    isFoundUnpaid: unposted.some(({ isClosed }) => isClosed),
    /** Undefined unless a report holds the checkout open. */
    heldSince: isHeld ? waiting.reportedAt : undefined,
  }
}

function isRecent({ submittedAt }: AttemptFacts, now: Instant): boolean {
  return submittedAt !== undefined && now < later(+submittedAt * 1_000, watchedSeconds)
}

function earliest(moments: readonly (Date | undefined)[]): Date | undefined {
  return moments.flatMap((at) => at ?? []).toSorted((one, other) => +one - +other)[0]
}

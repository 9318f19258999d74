import type { IntentStatus } from '../../intents/rules/intent'
import type { Disposition } from '../../journal/rules/postings'

/** What the account of a checkout is notified of when an intent of it changes. */
export type PaymentEvent = 'checkout.completed' | 'payment.failed' | 'payment.reversed'

/** What of an intent events depend on. */
export interface Standing {
  readonly status: IntentStatus
  readonly disposition: Disposition | 'placed' | 'refunded' | null
}

export interface PaymentChange {
  /** Undefined of an intent that begins with its money. */
  readonly before: Standing | undefined
  readonly after: Standing
  /** An intent of the checkout has paid the merchant. */
  readonly isCheckoutPaid: boolean
}

type Rule = (change: PaymentChange) => PaymentEvent | undefined

const none: Rule = () => undefined

const completed: Rule = ({ before, after }) => {
  const isGained = isMerchants(after) && (before === undefined || !isMerchants(before))
  return isGained ? 'checkout.completed' : undefined
}

/** A failed attempt beside a payment is none: the checkout is paid. */
const failed: Rule = ({ before, isCheckoutPaid }) =>
  before?.status === 'failed' || isCheckoutPaid ? undefined : 'payment.failed'

/** Money that was held and went back was never the merchant's. */
const reversed: Rule = ({ before, after }) =>
  before?.status !== 'reversed' && isMerchants(after) ? 'payment.reversed' : undefined

/** By the status that the intent has after the change. */
const rules: Readonly<Record<IntentStatus, Rule>> = {
  created: none,
  reserved: none,
  submitted: none,
  pending: none,
  completed,
  failed,
  // A checkout that expires is `checkout.expired`, whatever its intents did.
  expired: none,
  reversed,
}

/** Which event a change of an intent is. An intent without a checkout has no events. */
export function paymentEventOf(change: PaymentChange): PaymentEvent | undefined {
  return rules[change.after.status](change)
}

/** An event that is written with the change. */
export interface NotedEvent {
  readonly type: PaymentEvent
  readonly checkoutId: string
}

/** The event of a change to an intent of a checkout. */
export function noteEvent(
  checkoutId: string | null,
  change: PaymentChange,
): NotedEvent | undefined {
  if (checkoutId === null) return undefined
  const type = paymentEventOf(change)
  return type && { type, checkoutId }
}

function isMerchants({ disposition }: Standing): boolean {
  return disposition === 'merchant'
}

import type { IntentStatus } from '../../intents/rules/intent'
import type { Disposition } from '../../journal/rules/postings'

/** The events of which the account of a checkout is notified when an intent of the checkout changes. */
export type PaymentEvent = 'checkout.completed' | 'payment.failed' | 'payment.reversed'

/** The facts of an intent on which its events depend. */
export interface Standing {
  readonly status: IntentStatus
  readonly disposition: Disposition | 'placed' | 'refunded' | null
}

export interface PaymentChange {
  /** Undefined for an intent that begins with its money. */
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

/** An attempt that fails is no event once another one has paid the checkout. */
const failed: Rule = ({ before, isCheckoutPaid }) =>
  before?.status === 'failed' || isCheckoutPaid ? undefined : 'payment.failed'

/** Money that was held and went back is no event, because it was never the merchant's. */
const reversed: Rule = ({ before, after }) =>
  before?.status !== 'reversed' && isMerchants(after) ? 'payment.reversed' : undefined

/** The rule for each status that the intent has after the change. */
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

/** Which event a change of an intent is, provided that the intent has a checkout. */
export function paymentEventOf(change: PaymentChange): PaymentEvent | undefined {
  return rules[change.after.status](change)
}

export interface NotedEvent {
  readonly type: PaymentEvent
  readonly checkoutId: string
}

/** The event of a change to an intent. An intent without a checkout has no events. */
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

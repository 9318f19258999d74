import type {
  CheckoutStatus as WireCheckoutStatus,
  FailureCause as WireCause,
  IntentStatus as WireIntentStatus,
  ListedCheckout,
  MerchantCheckout,
  Rail as WireRail,
  ReadTimelineResponse,
  TimelineAttempt,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { Attempt, Checkout, Payment, Timeline } from './checkout'
import { present } from './present'

/** The wire's words and ours. Total tables: a value added to the contract does not compile without its row. */

const checkoutStatusOf = {
  CHECKOUT_STATUS_UNSPECIFIED: undefined,
  CHECKOUT_STATUS_OPEN: 'open',
  CHECKOUT_STATUS_COMPLETED: 'completed',
  CHECKOUT_STATUS_EXPIRED: 'expired',
} as const satisfies Record<WireCheckoutStatus, CheckoutStatus | undefined>

const intentStatusOf = {
  INTENT_STATUS_UNSPECIFIED: undefined,
  INTENT_STATUS_CREATED: 'created',
  INTENT_STATUS_RESERVED: 'reserved',
  INTENT_STATUS_SUBMITTED: 'submitted',
  INTENT_STATUS_PENDING: 'pending',
  INTENT_STATUS_COMPLETED: 'completed',
  INTENT_STATUS_FAILED: 'failed',
  INTENT_STATUS_EXPIRED: 'expired',
  INTENT_STATUS_REVERSED: 'reversed',
} as const satisfies Record<WireIntentStatus, IntentStatus | undefined>

const railOf = {
  RAIL_UNSPECIFIED: undefined,
  RAIL_MPESA: 'mpesa',
  RAIL_MTN_MOMO: 'mtn_momo',
  RAIL_AIRTEL_MONEY: 'airtel_money',
  RAIL_CARD: 'card',
  RAIL_PAYBILL: 'paybill',
} as const satisfies Record<WireRail, Rail | undefined>

export function checkoutOf({ checkout: wire, completedAt }: ListedCheckout): Checkout {
  const { amount, status, createdAt, expiresAt, payment, ...own } = present(wire, 'checkout')
  const { minor, currency } = present(amount, 'amount')
  return {
    checkoutId: own.checkoutId,
    status: present(checkoutStatusOf[status], 'status'),
    amountMinor: minor,
    currency,
    reference: own.reference,
    description: own.description,
    returnUrl: own.returnUrl,
    createdAt: present(createdAt, 'created_at'),
    expiresAt: present(expiresAt, 'expires_at'),
    completedAt,
    payment: payment && paymentOf(payment),
  }
}

export function timelineOf(wire: ReadTimelineResponse): Timeline {
  return {
    checkout: checkoutOf(present(wire.checkout, 'checkout')),
    payBillAccountNumber: wire.payBillAccountNumber,
    attempts: wire.attempts.map(attemptOf),
  }
}

function attemptOf(wire: TimelineAttempt): Attempt {
  return {
    ...paymentOf(wire),
    rail: present(railOf[wire.rail], 'rail'),
    cause: causeOf(wire.cause),
    startedAt: present(wire.startedAt, 'started_at'),
    heldBecause: wire.heldBecause,
    steps: wire.steps.map(({ status, at }) => ({
      status: statusOf(status),
      at: present(at, 'at'),
    })),
  }
}

type WirePayment = NonNullable<MerchantCheckout['payment']>

function paymentOf(wire: WirePayment): Payment {
  const { intentId, status, amountSettledMinor: settledMinor, providerReceipt, phone } = wire
  return { intentId, status: statusOf(status), settledMinor, receipt: providerReceipt, phone }
}

/** The pages have a sentence for each that they know; a new one needs no release of the hub. */
function causeOf(wire: WireCause): string | undefined {
  const cause = wire.replace('FAILURE_CAUSE_', '').toLowerCase()
  return cause === 'unspecified' ? undefined : cause
}

function statusOf(wire: WireIntentStatus): IntentStatus {
  return present(intentStatusOf[wire], 'status')
}

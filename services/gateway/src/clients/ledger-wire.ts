import {
  type CheckoutStatus as WireCheckoutStatus,
  type FailureCause as WireCause,
  type HandlePayment as WireHandlePayment,
  type Intent as WireIntent,
  type IntentStatus as WireIntentStatus,
  type MerchantCheckout as WireMerchantCheckout,
  type PayBillVerdict as WireVerdict,
  type PayerCheckout as WirePayerCheckout,
  Rail as WireRail,
  type StartOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Money } from '@malipo/contracts/proto/money/v1/money'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { MobileRail, Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Currency, Minor } from '@malipo/kernel/money'
import type {
  Attempt,
  FailureCause,
  HandlePayment,
  Intent,
  MerchantCheckout,
  PayBillVerdict,
  PayerCheckout,
  Payment,
  StartOutcome,
} from './checkout'

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

export const wireRailOf = {
  mpesa: WireRail.MPESA,
  mtn_momo: WireRail.MTN_MOMO,
  airtel_money: WireRail.AIRTEL_MONEY,
} as const satisfies Record<MobileRail, WireRail>

const outcomeOf = {
  START_OUTCOME_UNSPECIFIED: undefined,
  START_OUTCOME_STARTED: 'started',
  START_OUTCOME_REPLAYED: 'replayed',
  START_OUTCOME_IN_PROGRESS: 'in_progress',
} as const satisfies Record<WireOutcome, StartOutcome | undefined>

const causeOf = {
  FAILURE_CAUSE_UNSPECIFIED: undefined,
  FAILURE_CAUSE_WRONG_PIN: 'wrong_pin',
  FAILURE_CAUSE_NO_FUNDS: 'no_funds',
  FAILURE_CAUSE_CANCELLED: 'cancelled',
  FAILURE_CAUSE_NO_ANSWER: 'no_answer',
  FAILURE_CAUSE_PROMPT_EXPIRED: 'prompt_expired',
  FAILURE_CAUSE_SESSION_OPEN: 'session_open',
  FAILURE_CAUSE_BUSY: 'busy',
  FAILURE_CAUSE_OVER_LIMIT: 'over_limit',
  FAILURE_CAUSE_NOT_REGISTERED: 'not_registered',
  FAILURE_CAUSE_LOCKED: 'locked',
  FAILURE_CAUSE_CARD_DECLINED: 'card_declined',
  FAILURE_CAUSE_CARD_EXPIRED: 'card_expired',
  FAILURE_CAUSE_CARD_NOT_AUTHENTICATED: 'card_not_authenticated',
  FAILURE_CAUSE_NOT_STARTED: 'not_started',
  FAILURE_CAUSE_UNCONFIRMED: 'unconfirmed',
  FAILURE_CAUSE_REFUSED: 'refused',
} as const satisfies Record<WireCause, FailureCause | undefined>

const verdictOf = {
  PAY_BILL_VERDICT_UNSPECIFIED: undefined,
  PAY_BILL_VERDICT_ACCEPTED: 'accepted',
  PAY_BILL_VERDICT_UNKNOWN_ACCOUNT: 'unknown_account',
  PAY_BILL_VERDICT_WRONG_AMOUNT: 'wrong_amount',
} as const satisfies Record<WireVerdict, PayBillVerdict | undefined>

export function payBillVerdictOf(wire: WireVerdict): PayBillVerdict {
  return present(verdictOf[wire], 'verdict')
}

export function merchantCheckoutOf(wire: WireMerchantCheckout): MerchantCheckout {
  const { checkoutId, reference, description, returnUrl } = wire
  return {
    checkoutId,
    status: present(checkoutStatusOf[wire.status], 'status'),
    ...moneyOf(wire.amount),
    reference,
    description,
    returnUrl,
    expiresAt: present(wire.expiresAt, 'expires_at'),
    createdAt: present(wire.createdAt, 'created_at'),
    payment: wire.payment === undefined ? undefined : paymentOf(wire.payment),
  }
}

function paymentOf(wire: NonNullable<WireMerchantCheckout['payment']>): Payment {
  const { intentId, amountSettledMinor: settledMinor, providerReceipt, phone } = wire
  return { intentId, status: statusOf(wire.status), settledMinor, providerReceipt, phone }
}

export function payerCheckoutOf(wire: WirePayerCheckout): PayerCheckout {
  const { checkoutId, description, phone, intentId, returnUrl, reference, card } = wire
  return {
    checkoutId,
    status: present(checkoutStatusOf[wire.status], 'status'),
    ...moneyOf(wire.amount),
    description,
    phone,
    intentId,
    returnUrl,
    reference,
    card,
    expiresAt: present(wire.expiresAt, 'expires_at'),
    accountId: wire.accountId,
    completedAt: wire.completedAt,
    attempt: wire.attempt === undefined ? undefined : attemptOf(wire.attempt),
    failedAttempts: wire.failedAttempts,
    payBillAccountNumber: wire.payBillAccountNumber,
  }
}

function attemptOf(wire: NonNullable<WirePayerCheckout['attempt']>): Attempt {
  return {
    intentId: wire.intentId,
    status: statusOf(wire.status),
    rail: present(railOf[wire.rail], 'rail'),
    phone: wire.phone,
    cause: causeOf[wire.cause],
    startedAt: present(wire.startedAt, 'started_at'),
  }
}

export function handlePaymentOf(wire: WireHandlePayment): HandlePayment {
  return {
    payee: present(wire.payee, 'payee'),
    ...moneyOf(wire.amount),
    attempt: attemptOf(present(wire.attempt, 'attempt')),
    completedAt: wire.completedAt,
  }
}

export function intentOf(wire: WireIntent | undefined): Intent {
  const {
    intentId,
    status,
    amount,
    amountSettledMinor: settledMinor,
    rail,
  } = present(wire, 'intent')
  return {
    intentId,
    status: statusOf(status),
    ...moneyOf(amount),
    settledMinor,
    rail: present(railOf[rail], 'rail'),
  }
}

export function startOutcomeOf(wire: WireOutcome): StartOutcome {
  return present(outcomeOf[wire], 'outcome')
}

/** Proto cannot require a field; the ledger's contract does. */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}

function statusOf(wire: WireIntentStatus): IntentStatus {
  return present(intentStatusOf[wire], 'status')
}

function moneyOf(wire: Money | undefined): { amountMinor: Minor; currency: Currency } {
  const { currency, minor } = present(wire, 'amount')
  const known = (['KES', 'UGX'] as const).find((name) => name === currency)
  return { amountMinor: minor, currency: present(known, 'currency') }
}

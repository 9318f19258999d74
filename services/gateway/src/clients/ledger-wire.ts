import {
  type HandlePayment as WireHandlePayment,
  type Intent as WireIntent,
  type IntentStatus as WireIntentStatus,
  type MerchantCheckout as WireMerchantCheckout,
  type PayBillVerdict as WireVerdict,
  type PayerCheckout as WirePayerCheckout,
  type StartOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Money } from '@malipo/contracts/proto/money/v1/money'
import { wordOf } from '@malipo/contracts/wire-words'
import type { IntentStatus } from '@malipo/interface/fields'
import { isCurrency } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Currency, Minor } from '@malipo/kernel/money'
import type {
  Attempt,
  HandlePayment,
  Intent,
  MerchantCheckout,
  PayBillVerdict,
  PayerCheckout,
  Payment,
  StartOutcome,
} from './checkout'

export function payBillVerdictOf(wire: WireVerdict): PayBillVerdict {
  return present(wordOf('PAY_BILL_VERDICT', wire), 'verdict')
}

export function merchantCheckoutOf(wire: WireMerchantCheckout): MerchantCheckout {
  const { checkoutId, reference, description, returnUrl } = wire
  return {
    checkoutId,
    status: present(wordOf('CHECKOUT_STATUS', wire.status), 'status'),
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
    status: present(wordOf('CHECKOUT_STATUS', wire.status), 'status'),
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
    mayHavePaid: wire.mayHavePaid,
    isFoundUnpaid: wire.foundUnpaid,
    deniedRail: wordOf('RAIL', wire.deniedRail),
    payBillAccountNumber: wire.payBillAccountNumber,
    askedMinor: wire.askedMinor,
    payBillReportedAt: wire.payBillReportedAt,
  }
}

function attemptOf(wire: NonNullable<WirePayerCheckout['attempt']>): Attempt {
  return {
    intentId: wire.intentId,
    status: statusOf(wire.status),
    rail: present(wordOf('RAIL', wire.rail), 'rail'),
    phone: wire.phone,
    cause: wordOf('FAILURE_CAUSE', wire.cause),
    startedAt: present(wire.startedAt, 'started_at'),
    attemptReference: wire.attemptReference,
    isQueued: wire.queued,
    sentAt: wire.sentAt,
    deadlineAt: wire.deadlineAt,
    isUnanswered: wire.unanswered,
    reportedAt: wire.reportedAt,
  }
}

export function handlePaymentOf(wire: WireHandlePayment): HandlePayment {
  return {
    payee: present(wire.payee, 'payee'),
    ...moneyOf(wire.amount),
    askedMinor: wire.askedMinor,
    attempt: attemptOf(present(wire.attempt, 'attempt')),
    completedAt: wire.completedAt,
    failedAttempts: wire.failedAttempts,
    mayHavePaid: wire.mayHavePaid,
    isFoundUnpaid: wire.foundUnpaid,
    deniedRail: wordOf('RAIL', wire.deniedRail),
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
    rail: present(wordOf('RAIL', rail), 'rail'),
  }
}

export function startOutcomeOf(wire: WireOutcome): StartOutcome {
  return present(wordOf('START_OUTCOME', wire), 'outcome')
}

/** Proto cannot require a field; the ledger's contract does. */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}

function statusOf(wire: WireIntentStatus): IntentStatus {
  return present(wordOf('INTENT_STATUS', wire), 'status')
}

function moneyOf(wire: Money | undefined): { amountMinor: Minor; currency: Currency } {
  const { currency, minor } = present(wire, 'amount')
  const known = isCurrency(currency) ? currency : undefined
  return { amountMinor: minor, currency: present(known, 'currency') }
}

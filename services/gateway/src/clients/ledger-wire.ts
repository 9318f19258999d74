import {
  type Attempt as WireAttempt,
  type HandlePayment as WireHandlePayment,
  type Intent as WireIntent,
  type IntentStatus as WireIntentStatus,
  type MerchantCheckout as WireMerchantCheckout,
  type PayBillVerdict as WireVerdict,
  type PayerCheckout as WirePayerCheckout,
  type Payment as WirePayment,
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
  const { status, amount, expiresAt, createdAt, payment, ...plain } = wire
  return {
    ...plain,
    ...moneyOf(amount),
    status: present(wordOf('CHECKOUT_STATUS', status), 'status'),
    expiresAt: present(expiresAt, 'expires_at'),
    createdAt: present(createdAt, 'created_at'),
    payment: payment && paymentOf(payment),
  }
}

function paymentOf(wire: WirePayment): Payment {
  const { status, amountSettledMinor: settledMinor, rail: _rail, cause: _cause, ...plain } = wire
  return { ...plain, status: statusOf(status), settledMinor }
}

export function payerCheckoutOf(wire: WirePayerCheckout): PayerCheckout {
  const { status, amount, expiresAt, attempt, foundUnpaid, deniedRail, ...plain } = wire
  return {
    ...plain,
    ...moneyOf(amount),
    status: present(wordOf('CHECKOUT_STATUS', status), 'status'),
    expiresAt: present(expiresAt, 'expires_at'),
    attempt: attempt && attemptOf(attempt),
    isFoundUnpaid: foundUnpaid,
    deniedRail: wordOf('RAIL', deniedRail),
  }
}

function attemptOf(wire: WireAttempt): Attempt {
  const { status, rail, cause, startedAt, queued, unanswered, ...plain } = wire
  return {
    ...plain,
    status: statusOf(status),
    rail: present(wordOf('RAIL', rail), 'rail'),
    cause: wordOf('FAILURE_CAUSE', cause),
    startedAt: present(startedAt, 'started_at'),
    isQueued: queued,
    isUnanswered: unanswered,
  }
}

export function handlePaymentOf(wire: WireHandlePayment): HandlePayment {
  const { payee, amount, attempt, foundUnpaid, deniedRail, ...plain } = wire
  return {
    ...plain,
    ...moneyOf(amount),
    payee: present(payee, 'payee'),
    attempt: attemptOf(present(attempt, 'attempt')),
    isFoundUnpaid: foundUnpaid,
    deniedRail: wordOf('RAIL', deniedRail),
  }
}

export function intentOf(wire: WireIntent | undefined): Intent {
  const { status, amount, amountSettledMinor, rail, ...plain } = present(wire, 'intent')
  return {
    ...plain,
    ...moneyOf(amount),
    status: statusOf(status),
    settledMinor: amountSettledMinor,
    rail: present(wordOf('RAIL', rail), 'rail'),
  }
}

export function startOutcomeOf(wire: WireOutcome): StartOutcome {
  return present(wordOf('START_OUTCOME', wire), 'outcome')
}

/** Proto cannot mark a field as required; the ledger's contract does. */
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

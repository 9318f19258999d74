import { maskPhone } from '@malipo/kernel/ids'
import type { AttemptView, CheckoutView, PaymentView } from '@malipo/interface/hub'
import type { ListedCheckout, Payment } from '@malipo/ledger-client/checkouts'
import type { TimelineAttempt } from '@malipo/ledger-client/timelines'

export function showCheckout(checkout: ListedCheckout): CheckoutView {
  const { completedAt, expiresAt, payment } = checkout
  return {
    id: checkout.checkoutId,
    status: checkout.status,
    amount: String(checkout.amountMinor),
    currency: checkout.currency,
    reference: checkout.reference ?? null,
    description: checkout.description ?? null,
    created_at: checkout.createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    paid_after_expiry: completedAt !== undefined && completedAt > expiresAt,
    money_held: checkout.isMoneyHeld,
    found_unpaid: checkout.isFoundUnpaid,
    reported_at: checkout.reportedAt?.toISOString() ?? null,
    may_have_paid: checkout.mayHavePaid,
    payment: payment === undefined ? null : showPayment(payment),
  }
}

export function showAttempt(attempt: TimelineAttempt): AttemptView {
  return {
    ...showPayment(attempt),
    started_at: attempt.startedAt.toISOString(),
    held_because: attempt.heldBecause ?? null,
    frozen_at: attempt.frozenAt?.toISOString() ?? null,
    returned_at: attempt.returnedAt?.toISOString() ?? null,
    steps: attempt.steps.map(({ status, at }) => ({ status, at: at.toISOString() })),
  }
}

function showPayment(payment: Payment): PaymentView {
  return {
    intent_id: payment.intentId,
    status: payment.status,
    amount_settled: payment.settledMinor === undefined ? null : String(payment.settledMinor),
    provider_receipt: payment.receipt ?? null,
    phone: payment.phone === undefined ? null : maskPhone(payment.phone),
    rail: payment.rail,
    cause: payment.cause ?? null,
  }
}

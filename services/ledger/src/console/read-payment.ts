import type { ReadPaymentRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findPaymentStory, type PaymentId } from './store/payment-story'

/** Reads all that happened to a checkout, or to an intent to pay a handle. */
export function readPayment(deps: Ledger): Operation<'readPayment'> {
  const { currency } = deps.country
  return async ({ payment }) => {
    const story = await findPaymentStory(deps.db, readPaymentId(payment))
    if (story === undefined) throw new Fault('invalid_request', { field: 'payment' })
    const { head, intents, receipts, events } = story
    const checkout = head.checkoutId === null ? undefined : await deps.findCheckout(head.checkoutId)
    return {
      checkoutId: head.checkoutId ?? undefined,
      accountId: head.accountId,
      amount: { minor: head.minor, currency },
      reference: head.reference ?? undefined,
      description: head.description ?? undefined,
      // The same rule decides the status for payer and merchant: an attempt in flight keeps a checkout open.
      status: wireOf('CHECKOUT_STATUS', checkout?.status),
      intents: intents.map(({ status, rail, cause, phoneTail, providerRequestId, ...rest }) => ({
        ...{ intentId: rest.intentId, startedAt: rest.startedAt },
        status: wireOf('INTENT_STATUS', status),
        rail: wireOf('RAIL', rail),
        cause: wireOf('FAILURE_CAUSE', cause),
        phoneTail: phoneTail ?? undefined,
        providerRequestId: providerRequestId ?? undefined,
      })),
      receipts: receipts.map(({ subject, minor, holder }) => ({
        subject,
        amount: { minor, currency },
        holder: holder ?? undefined,
      })),
      events: events.map(({ kind, minor, ...event }) => ({
        ...event,
        kind: wireOf('PAYMENT_EVENT_KIND', kind),
        minor: minor ?? undefined,
      })),
    }
  }
}

function readPaymentId(payment: ReadPaymentRequest['payment']): PaymentId {
  if (payment === undefined) throw new Fault('invalid_request', { field: 'payment' })
  return payment.$case === 'checkoutId'
    ? { checkoutId: payment.value }
    : { intentId: payment.value }
}

import type { ReadPaymentRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { withoutNulls } from '@malipo/contracts/present'
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
      ...withoutNulls(head),
      amount: { minor: head.minor, currency },
      reference: head.reference ?? undefined,
      description: head.description ?? undefined,
      // The same rule decides the status for payer and merchant: an attempt in flight keeps a checkout open.
      status: wireOf('CHECKOUT_STATUS', checkout?.status),
      intents: intents.map((intent) => ({
        ...withoutNulls(intent),
        status: wireOf('INTENT_STATUS', intent.status),
        rail: wireOf('RAIL', intent.rail),
        cause: wireOf('FAILURE_CAUSE', intent.cause),
      })),
      receipts: receipts.map((receipt) => ({
        ...withoutNulls(receipt),
        amount: { minor: receipt.minor, currency },
      })),
      events: events.map((event) => ({
        ...withoutNulls(event),
        kind: wireOf('PAYMENT_EVENT_KIND', event.kind),
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

import type { ReadPaymentRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findPaymentStory, type PaymentId, type PaymentStory } from './store/payment-story'

/** Reads all that happened to a checkout, or to an intent to pay a handle. */
export function readPayment(deps: Ledger): Operation<'readPayment'> {
  const { currency } = deps.country
  return async ({ payment }) => {
    const story = await findPaymentStory(deps.db, readPaymentId(payment))
    if (story === undefined) throw new Fault('invalid_request', { field: 'payment' })
    const { head, intents, receipts, events } = story
    return {
      checkoutId: head.checkoutId ?? undefined,
      accountId: head.accountId,
      amount: { minor: head.minor, currency },
      reference: head.reference ?? undefined,
      description: head.description ?? undefined,
      status: statusOf(story),
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

/** The status is computed at each reading. A checkout that was paid is completed for good. */
function statusOf({ head, intents }: PaymentStory) {
  if (head.checkoutId === null) return 'CHECKOUT_STATUS_UNSPECIFIED'
  if (intents.some(({ isMerchants }) => isMerchants)) return 'CHECKOUT_STATUS_COMPLETED'
  return head.isExpired ? 'CHECKOUT_STATUS_EXPIRED' : 'CHECKOUT_STATUS_OPEN'
}

import { minorFromMajorText } from '@malipo/kernel/money'
import type { Operation, Understood, WireAnswer, WireCall } from '../../domain/rail'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import { stepBody } from './bodies'
import { merchantPath, understandMerchant } from './gate'
import { notify } from './notify'
import { facetsOf } from './open-session'
import { addStep, book } from './pay'
import { refuse } from './refuse'
import { type Gateway, heldMinor, type Order, paymentOf, type Step } from './state'

/**
 * `PUT …/order/{order}/transaction/{transaction}`: VOID before the bank has settled the payment, REFUND after. The same
 * request again answers what it answered before.
 */
export function giveBackOperation(gateway: Gateway): Operation {
  return {
    moment: 'refund',
    method: 'PUT',
    path: `${merchantPath}/order/{order}/transaction/{transaction}`,
    understand: (call) => understandMerchant(gateway, call, () => understandGift(gateway, call)),
  }
}

function understandGift(gateway: Gateway, call: WireCall): Understood {
  const order = gateway.orders.get(call.params['order'] ?? '')
  const id = call.params['transaction'] ?? ''
  if (order === undefined) return refuse('not_found')
  const facets = facetsOf(gateway, order.asked)
  const known = order.steps.find((step) => step.id === id)
  if (known !== undefined) {
    return {
      kind: 'understood',
      facets,
      perform: () => ({ answer: answerOf(gateway, order, known) }),
    }
  }
  const wanted = readGift(gateway, order, asFields(call.json) ?? {})
  if (typeof wanted === 'string') return refuse('invalid_request', wanted)
  const perform = () => ({ answer: giveBack(gateway, order, { ...wanted, id }) })
  return { kind: 'understood', facets, perform }
}

type Gift = Pick<Step, 'type' | 'amountMinor'> & Partial<Pick<Step, 'targetTransactionId'>>

/** What is to go back, or what is wrong with it. */
function readGift(gateway: Gateway, order: Order, fields: Fields): Gift | string {
  const payment = paymentOf(order)
  if (payment === undefined) return 'The order has no captured payment'
  const transaction = fieldsAt(fields, 'transaction')
  switch (fieldText(fields, 'apiOperation')) {
    case 'VOID':
      return readVoid(gateway, order, payment, transaction)
    case 'REFUND':
      return readRefund(order, transaction)
    default:
      return "Missing or invalid value 'apiOperation'"
  }
}

function readVoid({ world }: Gateway, order: Order, payment: Step, asked: Fields): Gift | string {
  const { id: targetTransactionId, amountMinor } = payment
  if (fieldText(asked, 'targetTransactionId') !== targetTransactionId) return 'Unknown target'
  if (world.wallNow() - payment.atMs >= settledAfterMs) return 'The batch of the payment is settled'
  return heldMinor(order) < amountMinor
    ? 'Part of the payment was given back'
    : { type: 'VOID_PAYMENT', amountMinor, targetTransactionId }
}

function readRefund(order: Order, asked: Fields): Gift | string {
  const amountMinor = minorFromMajorText(fieldText(asked, 'amount')) ?? 0n
  if (fieldText(asked, 'currency') !== order.asked.currency) return 'Wrong currency'
  return amountMinor === 0n || amountMinor > heldMinor(order)
    ? 'Requested refund amount exceeds what was captured'
    : { type: 'REFUND', amountMinor }
}

/** Banks settle at night; a day is safely after. */
const settledAfterMs = 86_400_000

function giveBack(gateway: Gateway, order: Order, gift: Gift & Pick<Step, 'id'>): WireAnswer {
  const step = addStep(gateway, order, { ...gift, result: 'SUCCESS', gatewayCode: 'APPROVED' })
  const isVoid = step.type === 'VOID_PAYMENT'
  const isAll = heldMinor(order) === 0n
  order.status = isVoid ? 'CANCELLED' : isAll ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  book(gateway, order, step, isVoid ? 'card_void' : 'card_refund')
  notify(gateway, order, step)
  return answerOf(gateway, order, step)
}

function answerOf(gateway: Gateway, order: Order, step: Step): WireAnswer {
  const body = stepBody(gateway, order, step)
  return { status: 201, contentType: 'application/json', body }
}

import { minorFromMajorText } from '@malipo/kernel/money'
import type { Operation, Understood, WireAnswer, WireCall } from '../rules/rail'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import { stepBody } from './bodies'
import { merchantPath, understandMerchant } from './gate'
import { notify } from './notify'
import { facetsOf } from './open-session'
import { addStep, book, resultOf } from './pay'
import { refuse } from './errors'
import {
  type Gateway,
  heldMinor,
  type Order,
  type Step,
  type StepType,
  uncapturedMinor,
} from './state'

/**
 * `PUT …/order/{order}/transaction/{transaction}`: CAPTURE takes an authorised amount, VOID undoes a step of the last
 * 24 hours, REFUND gives money back at any time. A repeated transaction id changes nothing and gets the first result.
 */
export function changeOrderOperation(gateway: Gateway): Operation {
  return {
    moment: 'refund',
    method: 'PUT',
    path: `${merchantPath}/order/{order}/transaction/{transaction}`,
    takesLies: true,
    understand: (call) => understandMerchant(gateway, call, () => understandChange(gateway, call)),
  }
}

function understandChange(gateway: Gateway, call: WireCall): Understood {
  const order = gateway.orders.get(call.params['order'] ?? '')
  const id = call.params['transaction'] ?? ''
  if (order === undefined) return refuse('not_found')
  const facets = facetsOf(gateway, order.request)
  const known = order.steps.find((step) => step.id === id)
  if (known !== undefined) {
    return {
      kind: 'understood',
      facets,
      perform: () => ({ answer: answerOf(gateway, order, known) }),
    }
  }
  const wanted = readChange(gateway, order, asFields(call.json) ?? {})
  if (typeof wanted === 'string') return refuse('invalid_request', wanted)
  const perform = (lie?: string) => ({ answer: change(gateway, order, { ...wanted, id }, lie) })
  return { kind: 'understood', facets, perform }
}

type Change = Pick<Step, 'type' | 'amountMinor'> & Partial<Pick<Step, 'targetTransactionId'>>

/** Returns the wanted change, or the reason to refuse it. */
function readChange(gateway: Gateway, order: Order, fields: Fields): Change | string {
  const transaction = fieldsAt(fields, 'transaction')
  switch (fieldText(fields, 'apiOperation')) {
    case 'CAPTURE':
      return readCapture(order, transaction)
    case 'VOID':
      return readVoid(gateway, order, transaction)
    case 'REFUND':
      return readRefund(order, transaction)
    default:
      return "Missing or invalid value 'apiOperation'"
  }
}

function readCapture(order: Order, request: Fields): Change | string {
  const amountMinor = minorFromMajorText(fieldText(request, 'amount')) ?? 0n
  if (fieldText(request, 'currency') !== order.request.currency) return 'Wrong currency'
  return amountMinor === 0n || amountMinor > uncapturedMinor(order)
    ? 'Requested capture amount exceeds what was authorised'
    : { type: 'CAPTURE', amountMinor }
}

const voids: Partial<Record<StepType, StepType>> = {
  AUTHORIZATION: 'VOID_AUTHORIZATION',
  CAPTURE: 'VOID_CAPTURE',
  PAYMENT: 'VOID_PAYMENT',
}

function readVoid({ world }: Gateway, order: Order, request: Fields): Change | string {
  const targetTransactionId = fieldText(request, 'targetTransactionId')
  const target = order.steps.find(({ id }) => id === targetTransactionId)
  const type = target?.result === 'SUCCESS' ? voids[target.type] : undefined
  if (target === undefined || type === undefined) return 'Unknown target'
  const { amountMinor, atMs } = target
  if (world.wallNow() - atMs >= settledAfterMs) return 'The batch of the payment is settled'
  const left = target.type === 'AUTHORIZATION' ? uncapturedMinor(order) : heldMinor(order)
  return left < amountMinor
    ? 'Part of it was captured, voided or given back'
    : { type, amountMinor, targetTransactionId }
}

function readRefund(order: Order, request: Fields): Change | string {
  const amountMinor = minorFromMajorText(fieldText(request, 'amount')) ?? 0n
  if (fieldText(request, 'currency') !== order.request.currency) return 'Wrong currency'
  return amountMinor === 0n || amountMinor > heldMinor(order)
    ? 'Requested refund amount exceeds what was captured'
    : { type: 'REFUND', amountMinor }
}

/** Banks settle at night, so a payment that is a day old is certainly settled. */
const settledAfterMs = 86_400_000

/** Adds the step. A rule of kind `lie` gives the bank's code; any code but APPROVED changes nothing. */
function change(
  gateway: Gateway,
  order: Order,
  wanted: Change & Pick<Step, 'id'>,
  gatewayCode = 'APPROVED',
): WireAnswer {
  const step = addStep(gateway, order, { ...wanted, result: resultOf(gatewayCode), gatewayCode })
  if (step.result === 'SUCCESS') {
    order.status = statusAfter(order, step)
    const kind = moved[step.type]
    if (kind !== undefined) book(gateway, order, step, kind)
  }
  notify(gateway, order, step)
  return answerOf(gateway, order, step)
}

/** The kind of movement of each step; an authorisation and its void move no money. */
const moved: Partial<Record<StepType, 'card_payment' | 'card_refund' | 'card_void'>> = {
  CAPTURE: 'card_payment',
  REFUND: 'card_refund',
  VOID_CAPTURE: 'card_void',
  VOID_PAYMENT: 'card_void',
}

function statusAfter(order: Order, { type }: Step): string {
  if (type === 'CAPTURE') return uncapturedMinor(order) === 0n ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  if (type === 'REFUND') return heldMinor(order) === 0n ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  return type === 'VOID_CAPTURE' ? 'AUTHORIZED' : 'CANCELLED'
}

function answerOf(gateway: Gateway, order: Order, step: Step): WireAnswer {
  const body = stepBody(gateway, order, step)
  return { status: 201, contentType: 'application/json', body }
}

import { majorText } from '@malipo/kernel/money'
import { capturedMinor, type Gateway, type Order, type Step, sumOf } from './state'

/** Retrieve Order: the order, and every step of it. */
export function orderBody(gateway: Gateway, order: Order): string {
  const { request } = order
  const last = order.steps.at(-1)
  return onWire({
    amount: majorText(request.amountMinor),
    creationTime: timeText(order.createdAtMs),
    currency: request.currency,
    customer: request.customer,
    description: request.description,
    id: request.id,
    lastUpdatedTime: timeText(last?.atMs ?? order.createdAtMs),
    merchant: gateway.settings.merchantId,
    notificationUrl: request.notificationUrl,
    result: last?.result,
    sourceOfFunds: fundsOf(order),
    status: order.status,
    totalAuthorizedAmount: majorText(sumOf(order, 'PAYMENT', 'AUTHORIZATION')),
    totalCapturedAmount: majorText(capturedMinor(order)),
    totalRefundedAmount: majorText(sumOf(order, 'REFUND')),
    transaction: order.steps.map((step) => stepOf(gateway, order, step)),
  })
}

/** Retrieve Transaction: one step, as it is answered and as it is notified. */
export function stepBody(gateway: Gateway, order: Order, step: Step): string {
  return onWire(stepOf(gateway, order, step))
}

function stepOf({ settings }: Gateway, order: Order, step: Step): object {
  const { request } = order
  const isOfPayer = step.type === 'PAYMENT' || step.type === 'AUTHORIZATION'
  return {
    customer: request.customer,
    gatewayEntryPoint: isOfPayer ? 'CHECKOUT' : 'WEB_SERVICES_API',
    merchant: settings.merchantId,
    order: {
      amount: majorText(request.amountMinor),
      currency: request.currency,
      id: request.id,
      status: order.status,
    },
    response: {
      gatewayCode: step.gatewayCode,
      ...(isOfPayer && {
        cardSecurityCode: { gatewayCode: securityCodes.get(order.card.securityCode) },
      }),
    },
    result: step.result,
    sourceOfFunds: fundsOf(order),
    timeOfRecord: timeText(step.atMs),
    transaction: {
      amount: majorText(step.amountMinor),
      currency: request.currency,
      id: step.id,
      receipt: step.receipt,
      targetTransactionId: step.targetTransactionId,
      type: step.type,
    },
    version: request.version,
  }
}

/** The gateway's verdict on each of its published security codes for tests. */
const securityCodes: ReadonlyMap<string, string> = new Map([
  ['100', 'MATCH'],
  ['101', 'NOT_PROCESSED'],
  ['102', 'NO_MATCH'],
])

function fundsOf({ card }: Order): object {
  const [month, year] = card.expiry.split('/')
  return {
    provided: {
      card: {
        brand: card.scheme,
        expiry: { month, year },
        fundingMethod: 'CREDIT',
        nameOnCard: card.name,
        number: card.masked,
        scheme: card.scheme,
      },
    },
    type: 'CARD',
  }
}

/** Writes amounts as JSON numbers, as the gateway does in answers about orders, though requests have them as text. */
function onWire(body: object): string {
  return JSON.stringify(body).replace(/("\w*[aA]mount"):"(\d+(?:\.\d+)?)"/g, '$1:$2')
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

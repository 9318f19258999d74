import { isCurrency } from '@malipo/kernel/countries'
import { minorFromMajorText } from '@malipo/kernel/money'
import type { Fact, MessageKind, ProviderCause } from '@malipo/kernel/provider-fact'
import { isIntentId } from '@malipo/kernel/ids'
import { readJson, unreadable } from '../exchange'
import type { Reader } from '../rail'
import {
  causeOfGatewayCode,
  openCodes,
  openStatuses,
  paidStatuses,
  unpaidStatuses,
} from './gateway-codes'
import {
  errorAnswer,
  notification,
  orderAnswer,
  type OrderAnswer,
  returned,
  type Returned,
  type Step,
} from './wire'

/**
 * Reads the gateway's results as facts. Only the order itself says "paid" with a receipt; a notification, or a browser
 * that returns, is only a reason to ask. A refusal on a page that may still be open in a browser is not final: the
 * ledger takes it as final when the session is over.
 */
export const readCard: Reader = (kind, body) => readers[kind](readJson(body))

const readers = {
  callback: (json) =>
    readReturn(json) ?? readNotification(json) ?? unreadable('not a notification of an order'),
  query_answer: (json) => readOrder(json) ?? readQueryError(json),
  statement_row: () => unreadable('the gateway has no statement to read'),
} as const satisfies Record<MessageKind, (json: unknown) => Fact>

export const payments: ReadonlySet<string> = new Set(['PAYMENT', 'CAPTURE'])

function readOrder(json: unknown): Fact | undefined {
  const parsed = orderAnswer.safeParse(json)
  if (!parsed.success) return undefined
  const order = parsed.data
  if (!isCurrency(order.currency)) return unreadable('an order in another currency')
  if (paidStatuses.has(order.status)) return readPaid(order)
  if (order.status === 'FAILED') return readFailed(order)
  const cause = unpaidStatuses.get(order.status)
  if (cause !== undefined) return declined(cause, order.status, order.id)
  return undecided(order.status, openStatuses.has(order.status))
}

/** Reads the amount that was taken, not ordered. The receipt is the order and its step, unique at the gateway. */
function readPaid(order: OrderAnswer): Fact {
  const amountMinor = minorFromMajorText(String(order.totalCapturedAmount ?? ''))
  const payment = order.transaction.find(
    (step) => payments.has(step.transaction.type) && step.result === 'SUCCESS',
  )
  if (payment === undefined || amountMinor === undefined || amountMinor === 0n) {
    return undecided(order.status, false)
  }
  return {
    kind: 'confirmed',
    receipt: `${order.id}-${payment.transaction.id}`,
    amountMinor,
    providerRequestId: order.id,
    ...(payment.timeOfRecord !== undefined && { paidAt: new Date(payment.timeOfRecord) }),
  }
}

function readFailed(order: OrderAnswer): Fact {
  const code = codeOf(order.transaction.findLast((step) => payments.has(step.transaction.type)))
  const cause = causeOfGatewayCode(code)
  return cause === undefined
    ? undecided(code, openCodes.has(code))
    : declined(cause, code, order.id)
}

/** An order exists from its first step on, so "not found" is the rule until the payer begins; it is no verdict. */
function readQueryError(json: unknown): Fact {
  const parsed = errorAnswer.safeParse(json)
  if (!parsed.success) return unreadable('not an answer to a query')
  return isOrderUnknown(json)
    ? { kind: 'not_found', providerCode: notBegun }
    : undecided(parsed.data.error.cause, true)
}

const notBegun = 'ORDER_NOT_FOUND'

/** Whether the error is that there is no such order. Any other error is about our query. */
export function isOrderUnknown(json: unknown): boolean {
  const parsed = errorAnswer.safeParse(json)
  return (
    parsed.success &&
    parsed.data.error.cause === 'INVALID_REQUEST' &&
    /\b(?:unable to find|not found|does not exist|no such)\b.*\border\b|\border\b.*\b(?:not found|does not exist)\b/i.test(
      parsed.data.error.explanation,
    )
  )
}

function readNotification(json: unknown): Fact | undefined {
  const parsed = notification.safeParse(json)
  if (!parsed.success) return undefined
  const { order, transaction, result } = parsed.data
  const isPaid = payments.has(transaction.type) && result === 'SUCCESS'
  if (isPaid) return { kind: 'confirmed', providerRequestId: order.id }
  // An authentication, or a card that was declined: the payer may be trying another one at this moment.
  return undecided(codeOf(parsed.data), true)
}

const causeOfReturn = {
  paid: undefined,
  unpaid: 'card_declined',
  cancelled: 'cancelled',
} as const satisfies Record<Returned, ProviderCause | undefined>

/** The payer has left the gateway's page. Anyone can send this, so it only makes us ask. */
function readReturn(json: unknown): Fact | undefined {
  const parsed = returned.safeParse(json)
  if (!parsed.success) return undefined
  const cause = causeOfReturn[parsed.data.returned]
  if (cause === undefined) return { kind: 'confirmed' }
  return { kind: 'declined', cause, providerCode: `RETURNED_${parsed.data.returned.toUpperCase()}` }
}

function codeOf(step: Step | undefined): string {
  return step?.response?.gatewayCode ?? 'NO_GATEWAY_CODE'
}

function declined(cause: ProviderCause, providerCode: string, providerRequestId: string): Fact {
  return { kind: 'declined', cause, providerCode, providerRequestId }
}

function undecided(providerCode: string, listed: boolean): Fact {
  return { kind: 'undecided', providerCode, listed }
}

export interface CardNotification {
  readonly intentId: string
  /** The part of the notification that we keep: nothing of the card, its holder or the customer. */
  readonly body: Buffer
}

/** Reads a notification of the gateway; undefined when it is about no intent of ours. */
export function readCardNotification(body: Uint8Array): CardNotification | undefined {
  const parsed = notification.safeParse(readJson(body))
  if (!parsed.success || !isIntentId(parsed.data.order.id)) return undefined
  return { intentId: parsed.data.order.id, body: Buffer.from(JSON.stringify(parsed.data)) }
}

/** The body that we store when a payer's browser returns. */
export function returnBody(what: Returned): Buffer {
  return Buffer.from(JSON.stringify(returned.parse({ returned: what })))
}

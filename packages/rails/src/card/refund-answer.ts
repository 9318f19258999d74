import { type Minor, minorFromMajorText } from '@malipo/kernel/money'
import type { Fact } from '@malipo/kernel/provider-fact'
import { readJson } from '../exchange'
import type { Reader } from '../rail'
import { payments, readCard } from './inbound'
import { orderAnswer, type OrderAnswer, type Step } from './wire'

const gifts = new Set(['REFUND', 'VOID_PAYMENT', 'VOID_CAPTURE'])

/**
 * Whether the money of an order has gone back: with the receipt of what gave it back and all that was given back, or
 * with the receipt of the payment, as long as that stands. A part, and what was taken back again, is for a person.
 */
export const readCardRefund: Reader = (kind, body) => {
  const order = orderAnswer.safeParse(readJson(body))
  if (kind !== 'query_answer')
    return { kind: 'unreadable', detail: 'the card gateway does not notify of refunds' }
  return order.success ? (readGiven(order.data) ?? readCard(kind, body)) : notAnOrder
}

const notAnOrder: Fact = { kind: 'undecided', providerCode: 'NO_ORDER', listed: true }

function readGiven(order: OrderAnswer): Fact | undefined {
  const steps = order.transaction.filter(({ result }) => result === 'SUCCESS')
  const given = steps.filter(({ transaction }) => gifts.has(transaction.type))
  const last = given.at(-1)
  if (last === undefined) return undefined
  const payment = steps.find(({ transaction }) => payments.has(transaction.type))
  const amountMinor = given.reduce((sum, step) => sum + minorOf(step), 0n)
  const isTakenAgain = steps.some(({ transaction }) => transaction.type === 'VOID_REFUND')
  if (payment === undefined || amountMinor !== minorOf(payment) || isTakenAgain) {
    return { kind: 'undecided', providerCode: order.status, listed: true }
  }
  return { kind: 'confirmed', receipt: `${order.id}-${last.transaction.id}`, amountMinor }
}

/** A step without an amount is of nothing, and so is never the whole. */
function minorOf({ transaction: { amount } }: Step): Minor {
  return minorFromMajorText(String(amount ?? '')) ?? 0n
}

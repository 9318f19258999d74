import { type Minor, minorFromMajorText } from '@malipo/kernel/money'
import type { Fact } from '@malipo/kernel/provider-fact'
import { readJson } from '../exchange'
import type { Reader } from '../rail'
import { causeOfGatewayCode } from './gateway-codes'
import { payments, readCard } from './inbound'
import { orderAnswer, type OrderAnswer, type Step } from './wire'

const gifts = new Set(['REFUND', 'VOID_PAYMENT', 'VOID_CAPTURE'])
const takesAgain = 'VOID_REFUND'
const moves = new Set([...gifts, takesAgain])

/**
 * Reads whether the money of an order has gone back: the fact has the receipt and the amount of the refund, or the
 * receipt of the payment while that stands. A partial refund, one that was reversed again, and one without a final
 * answer of the bank are undecided, for a person.
 */
export const readCardRefund: Reader = (kind, body) => {
  const order = orderAnswer.safeParse(readJson(body))
  if (kind !== 'query_answer')
    return { kind: 'unreadable', detail: 'the card gateway does not notify of refunds' }
  if (!order.success) return undecided('NO_ORDER')
  const { data } = order
  return readOpen(data) ?? readGiven(data) ?? readStanding(readCard(kind, body))
}

/** Whether the bank has certainly not done this step: only a code of the closed list proves that. */
export function isNotDone({ result, response }: Step): boolean {
  return result === 'FAILURE' && causeOfGatewayCode(response?.gatewayCode ?? '') !== undefined
}

/** A step without a final answer of the bank may still move the money, whatever the other steps say. */
function readOpen({ transaction, status }: OrderAnswer): Fact | undefined {
  const open = transaction.find(
    (step) => moves.has(step.transaction.type) && step.result !== 'SUCCESS' && !isNotDone(step),
  )
  return open && undecided(open.response?.gatewayCode ?? status)
}

/** Only a paid order is refunded, so an order that reads as unpaid may be one whose money has gone back. */
function readStanding(fact: Fact): Fact {
  if (fact.kind === 'declined') return undecided(fact.providerCode)
  return fact.kind === 'confirmed' ? { ...fact, paymentStands: true } : fact
}

function undecided(providerCode: string): Fact {
  return { kind: 'undecided', providerCode, listed: true }
}

function readGiven(order: OrderAnswer): Fact | undefined {
  const steps = order.transaction.filter(({ result }) => result === 'SUCCESS')
  const given = steps.filter(({ transaction }) => gifts.has(transaction.type))
  const last = given.at(-1)
  if (last === undefined) return undefined
  const payment = steps.find(({ transaction }) => payments.has(transaction.type))
  const amountMinor = given.reduce((sum, step) => sum + minorOf(step), 0n)
  const isTakenAgain = steps.some(({ transaction }) => transaction.type === takesAgain)
  if (payment === undefined || amountMinor !== minorOf(payment) || isTakenAgain) {
    return undecided(order.status)
  }
  return { kind: 'confirmed', receipt: `${order.id}-${last.transaction.id}`, amountMinor }
}

/** A step without an amount counts as zero, and so is never the whole refund. */
function minorOf({ transaction: { amount } }: Step): Minor {
  return minorFromMajorText(String(amount ?? '')) ?? 0n
}

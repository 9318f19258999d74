import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import { type Exchange, readJson } from '../exchange'
import type { AskableRail, RailWiring, RefundAnswer, RefundOrder, Refunds } from '../rail'
import type { GatewayCall } from './gateway-call'
import { amountText } from './outbound'
import { isNotDone, readCardRefund } from './refund-answer'
import { errorAnswer, giftAnswer, type Step } from './wire'

const giftTimeoutMs = 30_000

/**
 * Gives money back to a card: sends a VOID, and a REFUND only if the VOID is proven `not_done`, as is usual once the
 * bank has settled the payment. Each has a transaction id made from our refund, so the gateway carries it out once. The
 * answer to a query of the order tells how the refund ended.
 */
export function openCardRefunds(
  { call, askStatus }: { readonly call: GatewayCall } & Pick<AskableRail, 'askStatus'>,
  { now, countEvent }: Pick<RailWiring, 'now' | 'countEvent'>,
): Refunds {
  const ask = async ({ receipt }: Pick<RefundOrder, 'receipt'>): Promise<RefundAnswer> => {
    const fetched = await askStatus(paymentOf(receipt).orderId)
    if (fetched.kind === 'unanswered') return fetched
    return { kind: 'answered', body: dated(fetched.bodies[0], now()) }
  }

  const put = async (order: RefundOrder, gift: Gift): Promise<Given> => {
    const { orderId } = paymentOf(order.receipt)
    const transactionId = `${order.refundId}-${gift.apiOperation.toLowerCase()}`
    const answer = await call({
      method: 'PUT',
      path: `/order/${encodeURIComponent(orderId)}/transaction/${transactionId}`,
      body: JSON.stringify(gift),
      timeoutMs: giftTimeoutMs,
    })
    return readGiven(answer, transactionId)
  }

  return {
    verdict: 'asked_for',
    ask,
    async send(order) {
      // An earlier refund may have succeeded after we gave it up, or an operator refunded at the gateway.
      const before = await ask(order)
      if (before.kind !== 'answered') {
        return { kind: 'not_sent', detail: 'no answer about the order' }
      }
      const standing = readCardRefund('query_answer', before.body)
      if (standing.kind !== 'confirmed') return refused('NOT_REFUNDABLE')
      const { receipt = order.receipt, paymentStands } = standing
      if (paymentStands !== true) return { kind: 'accepted', providerRequestId: receipt }

      // Operators may have posted the payment under another step than the one that the order shows.
      const voided = await put(order, voidOf(receipt))
      const given = voided.kind === 'not_done' ? await put(order, refundOf(order)) : voided
      if (given.kind === 'not_done') return refused(given.providerCode)
      if (given.kind === 'refused') countEvent('provider_misconfigured')
      return given
    },
  }
}

/** A receipt is ORDER-STEP: the id of the order, which has no dash, and that of its step, which may have some. */
function paymentOf(receipt: string) {
  const at = receipt.indexOf('-')
  return { orderId: receipt.slice(0, at), transactionId: receipt.slice(at + 1) }
}

interface Gift {
  readonly apiOperation: 'VOID' | 'REFUND'
  readonly transaction: Readonly<Record<string, string>>
}

function voidOf(receipt: string): Gift {
  const targetTransactionId = paymentOf(receipt).transactionId
  return { apiOperation: 'VOID', transaction: { targetTransactionId } }
}

function refundOf({ amountMinor, currency }: RefundOrder): Gift {
  return {
    apiOperation: 'REFUND',
    transaction: { amount: amountText(currency, amountMinor), currency },
  }
}

/** `not_done`: the bank has certainly not moved money. It is the usual answer to a VOID once the payment is settled. */
type Given = SubmitOutcome | { readonly kind: 'not_done'; readonly providerCode: string }

/** HTTP statuses by which the gateway refuses our credentials or rights: a REFUND would fail as the VOID did. */
const refusedUnread = new Set([401, 403])

function readGiven(answer: Exchange, transactionId: string): Given {
  if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
  if (answer.kind === 'not_sent') return answer
  const json = readJson(answer.body)
  const error = errorAnswer.safeParse(json)
  if (error.success) return readRefusal(answer.status, error.data.error.cause)
  const step = giftAnswer.safeParse(json)
  return step.success && step.data.transaction.id === transactionId
    ? readStep(step.data)
    : { kind: 'unknown', detail: `http ${String(answer.status)}` }
}

function readStep(step: Step): Given {
  const providerCode = step.response?.gatewayCode ?? 'NO_GATEWAY_CODE'
  if (step.result === 'SUCCESS') {
    return { kind: 'accepted', providerRequestId: step.transaction.id }
  }
  return isNotDone(step)
    ? { kind: 'not_done', providerCode }
    : { kind: 'unknown', detail: providerCode }
}

function readRefusal(status: number, cause: string): Given {
  if (refusedUnread.has(status)) return refused(cause)
  if (status === 400) return { kind: 'not_done', providerCode: cause }
  return { kind: 'unknown', detail: `http ${String(status)}, ${cause}` }
}

function refused(providerCode: string): SubmitOutcome {
  return { kind: 'refused', cause: 'refused', providerCode }
}

/** Adds the time of the question, so that two answers about an unchanged order are different bodies. */
function dated(body: Uint8Array | undefined, nowMs: number): Uint8Array {
  const order = body === undefined ? {} : readJson(body)
  return Buffer.from(JSON.stringify({ ...Object(order), askedAt: new Date(nowMs).toISOString() }))
}

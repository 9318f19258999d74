import type { Fact } from '@malipo/kernel/provider-fact'
import { type Exchange, readJson } from '../exchange'
import type { RailWiring, Reader, Refunds, RefundSent } from '../rail'
import { codeOf, isMisconfigured, isNotFound } from './response-codes'
import { answer, refundAnswer } from './wire'

const refundPath = '/standard/v1/payments/refund'

/** One call about money, with a token and the headers of every call. */
type Call = (request: {
  readonly method: 'POST'
  readonly path: string
  readonly body: string
}) => Promise<Exchange>

/**
 * Full refunds. The answer is the verdict: Airtel has no status query for refunds, so two operators close one
 * whose answer was lost.
 */
export function openRefunds(call: Call, wiring: Pick<RailWiring, 'countEvent'>): Refunds {
  return {
    verdict: 'answered',
    async send({ receipt }) {
      const body = JSON.stringify({ transaction: { airtel_money_id: receipt } })
      const answered = await call({ method: 'POST', path: refundPath, body })
      if (answered.kind === 'lost') return { kind: 'unknown', detail: answered.detail }
      if (answered.kind === 'not_sent') return answered
      const sent = readRefundAnswer(answered.status, answered.body)
      if (sent.kind === 'refused') {
        const isOverRate = sent.cause === 'busy'
        wiring.countEvent(isOverRate ? 'provider_throttled' : 'provider_misconfigured')
      }
      return sent
    },
    ask: () =>
      Promise.resolve({ kind: 'unanswered', detail: 'Airtel has no status query of a refund' }),
  }
}

/** The statuses of answers that Airtel itself gives. Answers of a gateway, or of a server in trouble, prove nothing. */
const readByAirtel = new Set([200, 400, 403])

/** Only a listed code proves that nothing went back; whatever cannot be read leaves it open. */
function readRefundAnswer(status: number, body: Uint8Array): RefundSent {
  const http = `http ${String(status)}`
  // Airtel refused the call unread for its rate, so an operator may order the refund again.
  if (status === 429) return { kind: 'refused', cause: 'busy', providerCode: http }
  // A refused token was already replaced once, so this is about our own credentials.
  if (status === 401) return { kind: 'refused', cause: 'refused', providerCode: http }
  const receipt = status === 200 ? receiptOf(body) : undefined
  if (receipt !== undefined) return { kind: 'accepted', providerRequestId: receipt, verdict: body }
  const parsed = answer.safeParse(readJson(body))
  if (!parsed.success) return { kind: 'unknown', detail: http }
  const providerCode = codeOf(parsed.data)
  const isListed = isNotFound(parsed.data) || isMisconfigured(parsed.data)
  return isListed && !parsed.data.status.success && readByAirtel.has(status)
    ? { kind: 'refused', cause: 'refused', providerCode }
    : { kind: 'unknown', detail: `${http}, ${providerCode}` }
}

/** The refund's own receipt, in an answer that says that the money went back. */
function receiptOf(body: Uint8Array): string | undefined {
  const parsed = refundAnswer.safeParse(readJson(body))
  if (!parsed.success) return undefined
  const { data, status } = parsed.data
  const isDone = ['', 'DP00800001001'].includes(status.response_code)
  const isReported = status.success && status.result_code === 'ESB000010' && isDone
  return isReported && data.transaction.status === 'SUCCESS'
    ? data.transaction.airtel_money_id
    : undefined
}

/** Reads the stored answer to an order. It names the refund, not the payment, so the fact is about the order itself. */
export const readAirtelRefund: Reader = (kind, body): Fact => {
  if (kind !== 'query_answer')
    return { kind: 'unreadable', detail: 'Airtel sends no message about a refund' }
  return receiptOf(body) === undefined
    ? { kind: 'undecided', providerCode: 'no word of success', listed: true }
    : { kind: 'confirmed' }
}

import type { JobDeps } from './job-deps'

/** Asks how a refund stands whose outcome nobody told us. The answer comes to an address, as a message. */
export async function queryRefund(deps: JobDeps, refundId: string): Promise<string> {
  const order = await deps.ledger.beginRefundQuery(refundId)
  if (order === undefined) return 'not_due'
  const refunds = deps.rails.get(order.rail)?.refunds
  if (refunds === undefined) return 'rail_off'
  const { receipt, providerRequestId, queryToken } = order
  const answerUrl = `${deps.callbackBaseUrl}/callbacks/${queryToken}`
  const asked = await refunds.ask({ receipt, providerRequestId, answerUrl })
  if (asked.kind === 'unanswered') {
    deps.log.warn({ refundId, rail: order.rail, detail: asked.detail }, 'no answer to a query')
  }
  return asked.kind
}

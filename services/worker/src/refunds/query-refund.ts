import type { Rail } from '@malipo/kernel/countries'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { RefundOrder } from '@malipo/ledger-client/refunds'
import type { Refunds } from '@malipo/rails/rail'
import type { JobDeps } from '../sweep/job-deps'
import { applyMessage, factOf } from '../callbacks/read-provider-message'

/** The refund functions of a rail, where it is on and supports refunds by API. */
export function refundsOf({ rails, card }: JobDeps, rail: Rail): Refunds | undefined {
  return asksByPage(rail) ? card?.rail.refunds : rails.get(rail)?.refunds
}

/** The rails by which this worker sends refunds. */
export function refundRailsOf({ rails, card }: Pick<JobDeps, 'rails' | 'card'>): Rail[] {
  const sending = [...rails.values()].filter(({ refunds }) => refunds !== undefined)
  return [...sending.map(({ name }) => name), ...(card === undefined ? [] : ['card' as const])]
}

/** Queries the status of a refund. An immediate answer is stored and applied; otherwise a callback brings one later. */
export async function askAboutRefund(
  deps: JobDeps,
  refunds: Refunds,
  { refundId, order }: { readonly refundId: string; readonly order: RefundOrder },
): Promise<string> {
  const { rail, receipt, providerRequestId, queryToken } = order
  const answerUrl = `${deps.callbackBaseUrl}/callbacks/${queryToken}`
  const answer = await refunds.ask({ receipt, providerRequestId, answerUrl })
  if (answer.kind === 'unanswered') {
    deps.log.warn({ refundId, rail, detail: answer.detail }, 'no answer to a query')
  }
  if (answer.kind === 'answered') {
    const messageId = await deps.ledger.storeRefundAnswer(order, answer.body)
    await applyRefundAnswer(deps, { rail, messageId, body: answer.body })
  }
  return answer.kind
}

export async function applyRefundAnswer(
  deps: JobDeps,
  {
    rail,
    messageId,
    body,
  }: { readonly rail: Rail; readonly messageId: string; readonly body: Uint8Array },
): Promise<void> {
  const fact = factOf({ rail, kind: 'query_answer', body, isOfRefund: true })
  await applyMessage(deps, { messageId, intentId: undefined, fact })
}

export async function queryRefund(deps: JobDeps, refundId: string): Promise<string> {
  const order = await deps.ledger.beginRefundQuery(refundId)
  if (order === undefined) return 'not_due'
  const refunds = refundsOf(deps, order.rail)
  return refunds === undefined ? 'rail_off' : askAboutRefund(deps, refunds, { refundId, order })
}

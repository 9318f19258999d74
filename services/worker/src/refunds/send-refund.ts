import type { RefundOrder } from '@malipo/ledger-client/refunds'
import type { Refunds, RefundSent } from '@malipo/rails/rail'
import { applyRefundAnswer, askAboutRefund, refundsOf } from './query-refund'
import type { JobDeps } from '../sweep/job-deps'

/**
 * Sends one refund. The ledger commits the decision before anything is sent, and hands it out once: after a lost
 * answer the refund is queried, and never sent again.
 */
export async function sendRefund(deps: JobDeps, refundId: string): Promise<string> {
  const order = await deps.ledger.beginRefund(refundId)
  if (order === undefined) return 'nothing_to_send'
  const refunds = refundsOf(deps, order.rail)
  const outcome = await send(deps, refunds, { refundId, order })
  deps.log.info({ refundId, rail: order.rail, ...facts(outcome) }, 'refund')
  // The verdict comes this once and settles the refund, so it is stored before the call is recorded.
  const body = 'verdict' in outcome ? outcome.verdict : undefined
  const messageId = body && (await deps.ledger.storeRefundAnswer(order, body))
  await deps.ledger.recordRefund(refundId, outcome)
  if (body && messageId) await applyRefundAnswer(deps, { rail: order.rail, messageId, body })
  // No callback will come, so query at once; a failed query is repeated in a minute.
  if (outcome.kind === 'accepted' && refunds?.verdict === 'asked_for') {
    await askAboutRefund(deps, refunds, { refundId, order })
  }
  return outcome.kind
}

/** The result for the log. The provider's id of the refund finds it in the provider's portal. */
function facts(outcome: RefundSent): object {
  return outcome.kind === 'accepted'
    ? { providerRequestId: outcome.providerRequestId, outcome: 'accepted' }
    : { ...outcome, outcome: outcome.kind }
}

async function send(
  deps: JobDeps,
  refunds: Refunds | undefined,
  { refundId, order }: { readonly refundId: string; readonly order: RefundOrder },
): Promise<RefundSent> {
  if (refunds === undefined) return { kind: 'not_sent', detail: `${order.rail} takes no orders` }
  const { receipt, amountMinor, currency, callbackToken } = order
  const callbackUrl = `${deps.callbackBaseUrl}/callbacks/${callbackToken}`
  return refunds.send({ refundId, receipt, amountMinor, currency, callbackUrl })
}

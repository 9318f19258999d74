import type { SubmitOutcome } from '@malipo/rails/rail'
import type { RefundOrder } from '../clients/ledger-refunds'
import type { JobDeps } from './job-deps'

/**
 * Sends one refund. The ledger commits the decision to send before anything is sent, and hands it out once: a lost
 * answer is asked about, and never sent again.
 */
export async function sendRefund(deps: JobDeps, refundId: string): Promise<string> {
  const order = await deps.ledger.beginRefund(refundId)
  if (order === undefined) return 'nothing_to_send'
  const outcome = await send(deps, order)
  const words = outcome.kind === 'accepted' ? {} : outcome
  deps.log.info({ refundId, rail: order.rail, ...words, outcome: outcome.kind }, 'refund')
  await deps.ledger.recordRefund(refundId, outcome)
  return outcome.kind
}

async function send(deps: JobDeps, order: RefundOrder): Promise<SubmitOutcome> {
  const refunds = deps.rails.get(order.rail)?.refunds
  if (refunds === undefined) return { kind: 'not_sent', detail: `${order.rail} takes no orders` }
  const { receipt, amountMinor, callbackToken } = order
  const callbackUrl = `${deps.callbackBaseUrl}/callbacks/${callbackToken}`
  return refunds.send({ receipt, amountMinor, callbackUrl })
}

import { askAboutRefund, refundsOf } from './ask-about-refund'
import type { JobDeps } from '../sweep/job-deps'

/** Queries a refund without a known result. */
export async function queryRefund(deps: JobDeps, refundId: string): Promise<string> {
  const order = await deps.ledger.beginRefundQuery(refundId)
  if (order === undefined) return 'not_due'
  const refunds = refundsOf(deps, order.rail)
  return refunds === undefined ? 'rail_off' : askAboutRefund(deps, refunds, { refundId, order })
}

import type { Ledger, Operation } from '../operation'
import { beginRefundQuery as begin } from './rules/decide-sending'
import { actOnRefund } from './store/apply'
import { presentRefundOrder } from './begin-refund'

/** Hands out what to ask a provider about a refund that was sent, when it is time to ask. */
export function beginRefundQuery(deps: Ledger): Operation<'beginRefundQuery'> {
  return async ({ refundId }) => {
    const order = await actOnRefund(deps.pool, refundId, begin)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}

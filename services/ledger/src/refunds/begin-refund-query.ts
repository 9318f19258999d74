import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import { beginRefundQuery as begin } from '../domain/refunds/decide-sending'
import type { SharedDatabase } from '../store/database'
import { actOnRefund } from '../store/refunds/apply'
import { presentRefundOrder } from './present-refund-order'

export interface BeginRefundQueryDeps extends Pick<SharedDatabase, 'pool'> {
  readonly country: CountryRules
}

/** Hands out what to ask a provider about a refund that was sent, when it is time to ask. */
export function beginRefundQuery(
  deps: BeginRefundQueryDeps,
): Operations<LedgerServiceServer>['beginRefundQuery'] {
  return async ({ refundId }) => {
    const order = await actOnRefund(deps.pool, refundId, begin)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}

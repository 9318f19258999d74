import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { SharedDatabase } from '../database/database'
import { beginRefundQuery as begin } from './rules/decide-sending'
import { actOnRefund } from './store/apply'
import { presentRefundOrder } from './begin-refund'

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

import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { beginRefundQuery as begin } from '../store/refunds'
import { presentRefundOrder } from './present-refund-order'

export interface BeginRefundQueryDeps {
  readonly db: Database
  readonly country: CountryRules
}

/** Hands out what to ask a provider about a refund that was sent, when it is time to ask. */
export function beginRefundQuery(
  deps: BeginRefundQueryDeps,
): Operations<LedgerServiceServer>['beginRefundQuery'] {
  return async ({ refundId }) => {
    const order = await begin(deps.db, refundId)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}

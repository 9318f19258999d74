import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { beginRefund as begin } from '../store/refunds'
import { presentRefundOrder } from './present-refund-order'

export interface BeginRefundDeps {
  readonly db: Database
  readonly country: CountryRules
}

/** Commits the decision to send a refund, and hands out what to send, once. */
export function beginRefund(deps: BeginRefundDeps): Operations<LedgerServiceServer>['beginRefund'] {
  return async ({ refundId }) => {
    const order = await begin(deps.db, refundId)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}

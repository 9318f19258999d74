import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import { beginRefund as begin } from '../domain/refunds/decide-sending'
import type { SharedDatabase } from '../store/database'
import { actOnRefund } from '../store/refunds/apply'
import { presentRefundOrder } from './present-refund-order'

export interface BeginRefundDeps extends Pick<SharedDatabase, 'pool'> {
  readonly country: CountryRules
}

/** Commits the decision to send a refund, and hands out what to send, once. */
export function beginRefund(deps: BeginRefundDeps): Operations<LedgerServiceServer>['beginRefund'] {
  return async ({ refundId }) => {
    const order = await actOnRefund(deps.pool, refundId, begin)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}

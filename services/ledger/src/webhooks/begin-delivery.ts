import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { beginDelivery as begin } from './store/deliveries'

/** Hands out the event to send, and makes the delivery due again in case its result is never recorded. */
export function beginDelivery(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['beginDelivery'] {
  return async ({ deliveryId }) => ({ message: await begin(deps.db, deliveryId) })
}

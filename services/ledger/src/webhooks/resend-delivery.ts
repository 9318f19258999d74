import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { resendDelivery as resend } from './store/webhooks'

/** Delivers an event once more, from now, with the id that it had. */
export function resendDelivery(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['resendDelivery'] {
  return async ({ accountId, deliveryId }) => {
    if (!(await resend(deps.db, accountId, deliveryId))) {
      throw new Fault('invalid_request', { field: 'delivery_id' })
    }
    return {}
  }
}

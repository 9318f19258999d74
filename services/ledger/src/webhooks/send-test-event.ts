import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { sendTestEvent as send } from './store/webhooks'

/** Sends a test event to one endpoint that is on. */
export function sendTestEvent(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['sendTestEvent'] {
  return async (own) => {
    if (!(await send(deps.db, own))) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return {}
  }
}

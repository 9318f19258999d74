import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { removeWebhook as remove } from './store/webhooks'

/** Sends nothing more to an endpoint, for good. */
export function removeWebhook(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['removeWebhook'] {
  return async (own) => {
    await remove(deps.db, own)
    return {}
  }
}

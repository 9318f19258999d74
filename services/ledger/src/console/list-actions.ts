import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import { readPageLimit } from '../checkouts/list-checkouts'
import type { Database } from '../database/database'
import { listLoggedActions } from './store/actions'

/** Lists what was done by hand. */
export function listActions(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['listActions'] {
  return async ({ limit: given, beforeAction }) => {
    const limit = readPageLimit(given)
    const actions = await listLoggedActions(deps.db, beforeAction, limit + 1)
    return { actions: actions.slice(0, limit), hasMore: actions.length > limit }
  }
}

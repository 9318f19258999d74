import type { Ledger, Operation } from '../operation'
import { readPageLimit } from '../checkouts/list-checkouts'
import { listLoggedActions } from './store/actions'

/** Lists what was done by hand. */
export function listActions(deps: Ledger): Operation<'listActions'> {
  return async ({ limit: given, beforeAction }) => {
    const limit = readPageLimit(given)
    const actions = await listLoggedActions(deps.db, beforeAction, limit + 1)
    return { actions: actions.slice(0, limit), hasMore: actions.length > limit }
  }
}

import type { Ledger, Operation } from '../operation'
import { removeWebhook as remove } from './store/webhooks'

/** Sends nothing more to an endpoint, for good. */
export function removeWebhook(deps: Ledger): Operation<'removeWebhook'> {
  return async (own) => {
    await remove(deps.db, own)
    return {}
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { sendTestEvent as send } from './store/webhooks'

/** Sends a test event to one endpoint that is on; one that waits for it is sent now, and no second one. */
export function sendTestEvent(deps: Ledger): Operation<'sendTestEvent'> {
  return async (own) => {
    if (!(await send(deps.db, own))) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return {}
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { sendTestEvent as send } from './store/webhooks'

/** Sends a test event to one endpoint that is on. */
export function sendTestEvent(deps: Ledger): Operation<'sendTestEvent'> {
  return async (own) => {
    if (!(await send(deps.db, own))) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return {}
  }
}

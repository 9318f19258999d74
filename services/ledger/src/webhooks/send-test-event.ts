import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { sendTestEvent as send } from './store/webhooks'

/** Sends a test event to one endpoint that is on, and for which none waits. */
export function sendTestEvent(deps: Ledger): Operation<'sendTestEvent'> {
  return async (own) => {
    const sending = await send(deps.db, own)
    if (sending === 'off') throw new Fault('invalid_request', { field: 'endpoint_id' })
    if (sending === 'waiting') throw new Fault('invalid_request', { field: 'test_event' })
    return {}
  }
}

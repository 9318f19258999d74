import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { switchWebhookOn as switchOn } from './store/webhooks'

const endpointIdShape = /^we_[0-9a-f]{24}$/

/** Sends events of an account to an endpoint from now on; also switches on again what was switched off. */
export function switchWebhookOn(deps: Ledger): Operation<'switchWebhookOn'> {
  return async ({ accountId, endpointId }) => {
    if (accountId === '') throw new Fault('invalid_request', { field: 'account_id' })
    const isOn =
      endpointIdShape.test(endpointId) && (await switchOn(deps.db, { accountId, endpointId }))
    if (!isOn) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return {}
  }
}

import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { switchWebhookOn as switchOn } from './store/webhooks'

const endpointIdShape = /^we_[0-9a-f]{24}$/

/** Sends events of an account to an endpoint from now on; also switches on again what was switched off. */
export function switchWebhookOn(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['switchWebhookOn'] {
  return async ({ accountId, endpointId }) => {
    if (accountId === '') throw new Fault('invalid_request', { field: 'account_id' })
    const isOn =
      endpointIdShape.test(endpointId) && (await switchOn(deps.db, { accountId, endpointId }))
    if (!isOn) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return {}
  }
}

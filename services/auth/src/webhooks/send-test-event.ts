import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks/{id}/test`: sends a test event to an endpoint. Faults: invalid_request (also when the endpoint
 * is disabled), ledger_unavailable.
 */
export function sendTestEvent(deps: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const own = await requireEndpoint(deps.db, accountId, readId(request, 'we_'))
    await deps.ledgers.of(account).sendTestEvent(own)
    return succeed(202, 'Test event sent', {})
  }
}

import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { removeEndpoint, requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks/{id}/remove`: removes an endpoint; no PIN needed. Faults: invalid_request,
 * ledger_unavailable.
 */
export function removeWebhook(deps: Hub): VisitOperation {
  return async (request, { account, caller }) => {
    const own = await requireEndpoint(deps.db, account.accountId, readId(request, 'we_'))
    await deps.ledgers.of(account).removeWebhook(own)
    await removeEndpoint(deps.db, own, caller)
    return succeed(200, 'Webhook removed', {})
  }
}

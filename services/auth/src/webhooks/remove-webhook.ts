import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { recordEvent } from '../audit/store/audit-log'
import { hostOf, removeEndpoint, requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks/{id}/remove`: removes an endpoint; no PIN needed. Faults: invalid_request,
 * ledger_unavailable.
 */
export function removeWebhook(deps: Hub): VisitOperation {
  return async (request, { account, caller }) => {
    const { accountId } = account
    const own = await requireEndpoint(deps.db, accountId, String(request.params['id']))
    await deps.ledgers.of(account).removeWebhook(own)
    await removeEndpoint(deps.db, own.endpointId)
    const subject = hostOf(own.url)
    await recordEvent(deps.db, { accountId, action: 'webhook_removed', subject, caller })
    return succeed(200, 'Webhook removed', {})
  }
}

import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { recordEvent } from '../audit/store/audit-log'
import { hostOf, requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks/{id}/switch-on`: enables a disabled endpoint, and delivers the waiting events. Faults:
 * invalid_request, ledger_unavailable.
 */
export function switchWebhookOn(deps: Hub): VisitOperation {
  return async (request, { account, caller }) => {
    const { accountId } = account
    const own = await requireEndpoint(deps.db, accountId, readId(request, 'we_'))
    await deps.ledgers.of(account).switchWebhookOn(own)
    const subject = hostOf(own.url)
    await recordEvent(deps.db, { accountId, action: 'webhook_switched_on', subject, caller })
    return succeed(200, 'Webhook switched on', {})
  }
}

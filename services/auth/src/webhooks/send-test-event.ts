import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks/{id}/test`: sends a test event to an endpoint. Faults: invalid_request (also when the endpoint
 * is disabled, or a test event waits for it), ledger_unavailable.
 */
export function sendTestEvent(deps: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const own = await requireEndpoint(deps.db, accountId, readId(request, 'we_'))
    await deps.ledgers.of(account).sendTestEvent(own).catch(explain)
    return succeed(202, 'Test event sent', {})
  }
}

const waiting =
  'A test event is on its way to this address: wait for its answer, or resend it in the list of deliveries'

function explain(error: unknown): never {
  const isWaiting = error instanceof Fault && error.facts['field'] === 'test_event'
  throw isWaiting ? new Fault('invalid_request', {}, error, { description: waiting }) : error
}

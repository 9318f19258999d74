import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/deliveries/{id}/resend`: delivers an event once more, with the same id. Faults: invalid_request (also
 * when the endpoint is disabled), ledger_unavailable.
 */
export function resendDelivery(deps: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    await deps.ledgers.of(account).resendDelivery(accountId, readId(request, 'wd_'))
    return succeed(202, 'Delivery resent', {})
  }
}

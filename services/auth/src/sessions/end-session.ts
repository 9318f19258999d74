import { succeed } from '@malipo/runtime/answer'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { endSessionOfAccount } from './store/sign-in-sessions'
import type { VisitOperation } from './signed-in'

/**
 * `POST /v1/hub/sessions/{id}/end`: ends another session of this account. Ignores unknown and ended ones. Fault:
 * invalid_request.
 */
export function endSession(deps: Hub): VisitOperation {
  return async (request, { account: { accountId }, caller }) => {
    const sessionId = readId(request, 'ses_')
    await endSessionOfAccount(deps.db, { accountId, sessionId }, caller)
    return succeed(200, 'Session ended', {})
  }
}

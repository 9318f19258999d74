import { succeed } from '@malipo/runtime/answer'
import type { Database } from '../store/database'
import { endSessionOfAccount } from '../store/sign-in-sessions'
import type { VisitOperation } from './signed-in'

/** `POST /v1/hub/sessions/{id}/end`: ends another session of this account. One that is not, or is over, stays as it is. */
export function endSession(deps: { readonly db: Database }): VisitOperation {
  return async (request, { account: { accountId }, caller }) => {
    const sessionId = String(request.params['id'])
    await endSessionOfAccount(deps.db, { accountId, sessionId }, caller)
    return succeed(200, 'Session ended', {})
  }
}

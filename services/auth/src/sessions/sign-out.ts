import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { endSessionOfToken } from './store/sign-in-sessions'
import { takeSession } from './session-cookie'
import type { VisitOperation } from './signed-in'

/** `POST /v1/hub/sign-out`: ends the current session. */
export function signOut(deps: Hub): VisitOperation {
  return async (_request, { sessionToken, caller }) => {
    await endSessionOfToken(deps.db, sessionToken, caller)
    return succeed(200, 'Signed out', {}, takeSession)
  }
}

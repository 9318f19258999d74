import { succeed } from '@malipo/runtime/answer'
import { noSessionCookie } from './session-cookie'
import type { Sessions } from './sessions'
import type { VisitOperation } from './signed-in'

/** `POST /sign-out`: ends the session, at every process of the console. */
export function signOut({ sessions }: { readonly sessions: Sessions }): VisitOperation {
  return async (_request, { sessionToken }) => {
    await sessions.end(sessionToken)
    return succeed(200, 'Signed out', {}, { 'Set-Cookie': noSessionCookie })
  }
}

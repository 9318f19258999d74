import { succeed } from '@malipo/runtime/answer'
import { noSessionCookie } from './session-cookie'
import type { Sessions } from './sessions'
import type { VisitOperation } from './signed-in'

/** `POST /sign-out`. */
export function signOut({ sessions }: { readonly sessions: Sessions }): VisitOperation {
  return (_request, { sessionToken }) => {
    sessions.end(sessionToken)
    return Promise.resolve(succeed(200, 'Signed out', {}, { 'Set-Cookie': noSessionCookie }))
  }
}

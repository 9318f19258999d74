import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { listSessions as listStoredSessions } from './store/sign-in-sessions'
import type { SignInSessionView } from '@malipo/interface/hub'
import type { VisitOperation } from './signed-in'

/** `GET /v1/hub/sessions`: the account's live sessions, newest first. */
export function listSessions(deps: Hub): VisitOperation {
  return async (_request, { account, sessionId }) => {
    const sessions = await listStoredSessions(deps.db, account.accountId)
    const views = sessions.map((session): SignInSessionView => ({
      session_id: session.sessionId,
      is_this_one: session.sessionId === sessionId,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
      address: session.caller.address,
      user_agent: session.caller.userAgent,
    }))
    return succeed(200, 'Sessions', { sessions: views })
  }
}

import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { listSessions } from '../store/sign-in-sessions'

/** Where an account is signed in now, newest first. */
export function listSignInSessions(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['listSignInSessions'] {
  return async ({ accountId }) => ({ sessions: await listSessions(deps.db, accountId) })
}

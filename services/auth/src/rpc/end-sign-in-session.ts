import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { endSessionOfAccount } from '../store/sign-in-sessions'
import { readCaller } from './read-caller'

/** Ends a session of this account from another one. Another account's, or one that is over, is left as it is. */
export function endSignInSession(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['endSignInSession'] {
  return async ({ accountId, sessionId, caller }) => {
    await endSessionOfAccount(deps.db, { accountId, sessionId }, readCaller(caller))
    return {}
  }
}

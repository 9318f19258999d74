import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { endSessionOfToken } from '../store/sign-in-sessions'
import { readCaller } from './read-caller'

/** Ends the session of this token. Repeating it, or a token that is none, changes nothing. */
export function signOut(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['signOut'] {
  return async ({ sessionToken, caller }) => {
    await endSessionOfToken(deps.db, sessionToken, readCaller(caller))
    return {}
  }
}

import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { requireAccount } from '../store/accounts'
import type { Database } from '../store/database'
import { findSession } from '../store/sign-in-sessions'

/** Whose session this token is of: asked before everything that a signed-in person does. Fault: sign_in_required. */
export function readSignInSession(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['readSignInSession'] {
  return async ({ sessionToken }) => {
    const found = await findSession(deps.db, sessionToken)
    if (found === undefined) throw new Fault('sign_in_required')
    return { session: found.session, account: await requireAccount(deps.db, found.accountId) }
  }
}

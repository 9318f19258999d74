import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import { findAccount } from './store/accounts'
import type { Database } from '../database/database'

/** The public fields of an account. An unknown account is an empty answer, not an error. */
export function getAccount(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['getAccount'] {
  return async ({ accountId }) => ({ account: await findAccount(deps.db, accountId) })
}

import type { AccountOperation, Accounts } from '../operation'
import { findAccount } from './store/accounts'

/** The public fields of an account. An unknown account is an empty answer, not an error. */
export function getAccount(deps: Accounts): AccountOperation<'getAccount'> {
  return async ({ accountId }) => ({ account: await findAccount(deps.db, accountId) })
}

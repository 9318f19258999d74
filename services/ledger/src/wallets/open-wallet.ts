import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { openWallet as storeWallet } from './store/wallets'

const accountIdLengthMax = 64

/** Opens the wallet of an account, so that the account can be paid here. A repeated call may change whether it takes cards. */
export function openWallet(deps: Ledger): Operation<'openWallet'> {
  return async ({ accountId, cardEnabled }) => {
    if (accountId === '' || accountId.length > accountIdLengthMax) {
      throw new Fault('invalid_request', { field: 'account_id' })
    }
    await storeWallet(deps.db, { accountId, cardEnabled }, deps.country)
    return {}
  }
}

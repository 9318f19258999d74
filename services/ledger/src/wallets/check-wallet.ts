import type { Ledger, Operation } from '../operation'
import { isWalletOpen } from './store/wallets'

/** Says whether the wallet of an account can take money here now, and in which amounts payers are asked for it. */
export function checkWallet(deps: Ledger): Operation<'checkWallet'> {
  return async ({ accountId }) => ({
    accepting: await isWalletOpen(deps.db, accountId),
    wholeMajorsOnly: deps.wholeMajorsOnly,
  })
}

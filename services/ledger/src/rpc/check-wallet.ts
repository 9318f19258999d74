import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { isWalletOpen } from '../store/wallets'

/** Says whether the wallet of an account can take money here now. */
export function checkWallet(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['checkWallet'] {
  return async ({ accountId }) => ({ accepting: await isWalletOpen(deps.db, accountId) })
}

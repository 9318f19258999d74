import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { isWalletOpen } from './store/wallets'

/** Says whether the wallet of an account can take money here now, and in which amounts payers are asked for it. */
export function checkWallet(deps: {
  readonly db: Database
  readonly wholeMajorsOnly: boolean
}): Operations<LedgerServiceServer>['checkWallet'] {
  return async ({ accountId }) => ({
    accepting: await isWalletOpen(deps.db, accountId),
    wholeMajorsOnly: deps.wholeMajorsOnly,
  })
}

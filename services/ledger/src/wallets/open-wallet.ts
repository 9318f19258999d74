import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { openWallet as storeWallet } from './store/wallets'

export interface OpenWalletDeps {
  readonly db: Database
  readonly country: CountryRules
}

const accountIdLengthMax = 64

/** Opens the wallet of an account, so that it can be paid here. Repeating it changes whether it takes cards, if the caller says so. */
export function openWallet(deps: OpenWalletDeps): Operations<LedgerServiceServer>['openWallet'] {
  return async ({ accountId, cardEnabled }) => {
    if (accountId === '' || accountId.length > accountIdLengthMax) {
      throw new Fault('invalid_request', { field: 'account_id' })
    }
    await storeWallet(deps.db, { accountId, cardEnabled }, deps.country)
    return {}
  }
}

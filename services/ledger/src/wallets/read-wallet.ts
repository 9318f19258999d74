import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { findWallet } from './store/wallet-entries'

export interface ReadWalletDeps {
  readonly db: Database
  readonly country: CountryRules
}

/** What an account has here. That it has no wallet yet is an answer, not an error. */
export function readWallet(deps: ReadWalletDeps): Operations<LedgerServiceServer>['readWallet'] {
  return async ({ accountId, balanceBefore }) => {
    const wallet = await findWallet(deps.db, accountId, balanceBefore)
    if (wallet === undefined) return { wallet: undefined }
    const { balanceMinor: minor, openedAt, frozenAt, unconfirmedMinor } = wallet
    const balance = { currency: deps.country.currency, minor }
    const frozen = { frozen: frozenAt !== null, frozenAt: frozenAt ?? undefined }
    return { wallet: { balance, openedAt, ...frozen, unconfirmedMinor } }
  }
}

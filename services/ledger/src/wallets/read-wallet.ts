import type { Ledger, Operation } from '../operation'
import { findWallet } from './store/wallet-entries'

/** Reads the wallet of an account here. An account without a wallet gets an answer without one, not an error. */
export function readWallet(deps: Ledger): Operation<'readWallet'> {
  return async ({ accountId, balanceBefore }) => {
    const wallet = await findWallet(deps.db, accountId, balanceBefore)
    if (wallet === undefined) return { wallet: undefined }
    const { balanceMinor: minor, openedAt, frozenAt, unconfirmedMinor } = wallet
    const balance = { currency: deps.country.currency, minor }
    const frozen = { frozen: frozenAt !== null, frozenAt: frozenAt ?? undefined }
    return { wallet: { balance, openedAt, ...frozen, unconfirmedMinor } }
  }
}

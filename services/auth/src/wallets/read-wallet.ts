import { succeed } from '@malipo/runtime/answer'
import type { WalletView } from '@malipo/interface/hub'
import type { Wallet } from '@malipo/ledger-client/wallets'
import type { Hub } from '../operation'
import type { VisitOperation } from '../sessions/signed-in'

/** `GET /v1/hub/wallet`: the balance; `wallet` is null until it has been opened. Fault: ledger_unavailable. */
export function readWallet({ ledgers }: Hub): VisitOperation {
  return async (_request, { account }) => {
    const { accountId } = account
    const wallet = await ledgers.of(account).readWallet(accountId)
    return succeed(200, 'Wallet', { wallet: wallet === undefined ? null : showWallet(wallet) })
  }
}

function showWallet(wallet: Wallet): WalletView {
  return {
    balance: String(wallet.balanceMinor),
    currency: wallet.currency,
    opened_at: wallet.openedAt.toISOString(),
    frozen_at: wallet.frozenAt?.toISOString() ?? null,
    unconfirmed: String(wallet.unconfirmedMinor),
  }
}

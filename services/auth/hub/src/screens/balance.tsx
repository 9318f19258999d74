import type { WalletView } from '@malipo/interface/hub'
import { Notice } from '../parts/notice'
import { showMoney } from '../show'

export function Balance({ wallet }: { readonly wallet: WalletView | null }) {
  if (wallet === null) {
    return (
      <Notice kind="warn">
        <p>Your wallet is being opened. This takes a moment; payments wait for it.</p>
      </Notice>
    )
  }
  return (
    <>
      <p class="balance">{showMoney(wallet.balance, wallet.currency)}</p>
      {wallet.frozen && (
        <Notice kind="bad">
          <p>This wallet is frozen: it takes no payments. Write to support.</p>
        </Notice>
      )}
    </>
  )
}

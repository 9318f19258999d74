import type { WalletView } from '@malipo/interface/hub'
import { Notice } from '../parts/notice'
import { showMoment, showMoney } from '../show'

export function Balance({ wallet }: { readonly wallet: WalletView | null }) {
  if (wallet === null) {
    return (
      <Notice kind="warn">
        <p>Your wallet is being opened. This takes a moment; until then you cannot be paid.</p>
      </Notice>
    )
  }
  return (
    <>
      <p class="balance">{showMoney(wallet.balance, wallet.currency)}</p>
      {wallet.frozen_at !== null && <Frozen since={wallet.frozen_at} />}
      {wallet.unconfirmed !== '0' && <Unconfirmed wallet={wallet} />}
    </>
  )
}

function Frozen({ since }: { readonly since: string }) {
  return (
    <Notice kind="bad">
      <p>
        Your wallet has been frozen since {showMoment(since)}. Two of our operators stopped payments
        to you while they check the account.
      </p>
      <p>
        What is in the wallet stays yours. Your checkouts and links take no money. What payers have
        sent since then is held: our operators give it to you or send it back.
      </p>
      <p>Write to support to learn what we need from you.</p>
    </Notice>
  )
}

function Unconfirmed({ wallet }: { readonly wallet: WalletView }) {
  return (
    <Notice kind="warn">
      <p>
        {showMoney(wallet.unconfirmed, wallet.currency)} is frozen and not in your balance. M-PESA
        reported these payments, but its statement does not show them. They are marked in the
        history of your wallet.
      </p>
      <p>
        A payment that the statement shows later comes back by itself. For the others we ask M-PESA,
        and two of our operators decide. You need do nothing. Do not deliver for them yet.
      </p>
    </Notice>
  )
}

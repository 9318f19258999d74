import { ProviderMessageKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Pool } from 'pg'
import { cards } from '../../../cards/cards.harness'
import type { RefundSetting } from '../../simulation/refunds/refund-tables.harness'
import { confirmed, insist, payments, present } from '../../../payments.harness'
import type { RunningLedger } from '../../../start.harness'
import { payBill } from '../../../pay-bill/pay-bill.harness'

/** The receipt of a world and what it paid, by their ids in the database. */
export interface OpenedReceipt {
  readonly receipt: string
  readonly accountId: string
  readonly checkoutId: string | undefined
}

interface Opening {
  readonly seed: number
  readonly setting: RefundSetting
}

/** Brings in the money of a world by the calls by which such money comes. */
export async function openReceipt(
  ledger: RunningLedger,
  owner: Pool,
  opening: Opening,
): Promise<OpenedReceipt> {
  const { seed, setting } = opening
  const { minor: amountMinor, spentMinor } = setting
  const receipt = `W${String(seed)}R0`
  if (setting.holder === 'unmatched') {
    const kind = ProviderMessageKind.STATEMENT_ROW
    await insist(() => payBill(ledger).paid({ accountNumber: 'rent', receipt, amountMinor, kind }))
    return { receipt, accountId: '', checkoutId: undefined }
  }
  const opened = await payCheckout(ledger, opening, receipt)
  if (spentMinor > 0n) {
    await owner.query(
      `INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
       SELECT $1, 0, $2, 'suspense:unmatched', 'KES', $3, at, at FROM set_clock.moment`,
      [`spent:${opened.receipt}`, `wallet:${opened.accountId}`, spentMinor],
    )
  }
  return opened
}

/** Pays a checkout of a new account, which has a webhook. */
async function payCheckout(
  ledger: RunningLedger,
  { seed, setting }: Opening,
  receipt: string,
): Promise<OpenedReceipt> {
  const { minor, holder } = setting
  const isCard = setting.provider === 'card'
  const pay = payments(ledger)
  const accountId = `w${String(seed)}`
  await insist(() => ledger.openWallet({ accountId, cardEnabled: isCard }))
  const endpointId = `we_${String(seed).padStart(24, '0')}`
  await insist(() => ledger.switchWebhookOn({ accountId, endpointId }))
  // Money that is in suspense came in another amount than the price.
  const amountMinor = holder === 'wallet' ? minor : minor + 10_000n
  const { checkoutId } = await pay.checkout({ accountId, amountMinor })
  if (isCard) {
    const card = cards({ ledger, pay })
    const { intentId } = present((await card.start(checkoutId)).intent)
    await ledger.beginSubmit({ intentId })
    await card.opened(intentId)
    const totalMinor = minor + setting.feeMinor
    await card.fetched(intentId, card.paid({ intentId, checkoutId, accountId, totalMinor }))
    return { receipt: `${intentId}-1`, accountId, checkoutId }
  }
  const { intentId } = await pay.pending(checkoutId)
  const messageId = await pay.fetched(intentId, ProviderMessageKind.STATEMENT_ROW)
  const fact = confirmed({ receipt, amountMinor: minor })
  await ledger.applyEvidence({ messageId, fact })
  return { receipt, accountId, checkoutId }
}

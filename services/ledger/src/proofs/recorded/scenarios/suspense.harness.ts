import { RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '../../../payments.harness'
import { note, operators } from '../../../operators/operators.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Money that could not be placed, and how two operators give it to its owner. */
export const suspense: Scenario = {
  name: 'suspense',
  async play(at) {
    const by = operators(at)
    await by.enroll()
    await listing(at)
    await refusing(at)
    await placing(at)
  },
}

async function listing(at: Recording): Promise<void> {
  const { ledger, refused } = at
  const by = operators(at)
  await ledger.listSuspense({ limit: 10 })
  const unmatched = await by.unmatched(70_000n)
  const mismatch = await by.mismatch(40_000n)
  await ledger.listSuspense({ limit: 1 })
  await ledger.listSuspense({ limit: 0 })
  await ledger.readReceipt({ subject: mismatch.subject })
  await refused(ledger.readReceipt({ subject: 'mpesa:NEVER00001' }))
  await refused(ledger.readReceipt({ subject: "mpesa:' OR 1" }))
  const refundId = await by.requestedRefund(unmatched, RefundSender.PROVIDER)
  await ledger.listSuspense({ limit: 10 })
  await by.brian.decideRefund({ refundId, agreed: false, note })
  await ledger.readReceipt({ subject: unmatched })
}

async function refusing(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const by = operators(at)
  const subject = await by.unmatched()
  const paid = await by.paid()
  const accountId = await pay.merchant()
  const toAccount = (value: string) => ({ $case: 'accountId', value }) as const
  const toCheckout = (value: string) => ({ $case: 'checkoutId', value }) as const
  const ask = { subject, note, owner: toAccount(accountId) }
  await refused(ledger.askPlacement(ask))
  for (const wrong of [{ note: '' }, { subject: 'x' }, { owner: undefined }]) {
    await refused(by.amina.askPlacement({ ...ask, ...wrong }))
  }
  await by.amina.askPlacement({ ...ask, subject: paid.subject })
  await by.amina.askPlacement({ ...ask, subject: 'mpesa:NEVER00001' })
  await by.amina.askPlacement({ ...ask, owner: toAccount('acc_gone') })
  await by.amina.askPlacement({ ...ask, owner: toCheckout('cs_ke_gone') })
  await by.amina.askPlacement({ ...ask, owner: toCheckout(paid.checkoutId) })
  const other = await pay.checkout({ amountMinor: 60_000n })
  await by.amina.askPlacement({ ...ask, owner: toCheckout(other.checkoutId) })
  await by.requestedRefund(subject)
  await by.amina.askPlacement(ask)
  await ledger.readReceipt({ subject })
}

async function placing(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const by = operators(at)
  const [first, second] = [await by.unmatched(), await by.unmatched()]
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const owner = { $case: 'checkoutId', value: checkoutId } as const
  const answer = await by.amina.askPlacement({ subject: first, owner, note })
  const placementId = present(answer.placementId)
  await by.amina.askPlacement({ subject: first, owner, note })
  await ledger.listSuspense({ limit: 10 })
  const decide = (agreed: boolean, who = by.brian, id = placementId) =>
    who.decidePlacement({ placementId: id, agreed, note })
  await decide(true, by.amina)
  await decide(true, by.brian, 'pl_gone')
  await refused(by.brian.decidePlacement({ placementId, agreed: true, note: '' }))
  await decide(true)
  await decide(true)
  await ledger.retrieveCheckout({ accountId, checkoutId })
  await ledger.readReceipt({ subject: first })
  const toWallet = { $case: 'accountId', value: accountId } as const
  const again = await by.amina.askPlacement({ subject: second, owner: toWallet, note })
  await decide(false, by.amina, present(again.placementId))
  const last = await by.amina.askPlacement({ subject: second, owner: toWallet, note })
  await decide(true, by.brian, present(last.placementId))
  await ledger.readWallet({ accountId })
  await ledger.listWalletEntries({ accountId, limit: 10 })
}

import { uniqueReceipt } from '../../../payments.harness'
import { payBill, payBillNumberKey } from '../../../pay-bill/pay-bill.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Amounts with cents, where M-Pesa takes whole shillings only: the payer is asked for the next one. */
export const wholeShillings: Scenario = {
  name: 'whole-shillings',
  config: { payBillNumberKey, mpesaWholeShillings: true },
  async play(at) {
    await prompted(at)
    await typed(at)
  },
}

const amountMinor = 50_050n
const askedMinor = 50_100n

async function prompted({ ledger, pay }: Recording): Promise<void> {
  const accountId = await pay.merchant()
  for (const received of [askedMinor, amountMinor, askedMinor + 100n]) {
    const { checkoutId } = await pay.checkout({ accountId, amountMinor })
    await ledger.readCheckout({ checkoutId })
    const attempt = await pay.pending(checkoutId)
    await pay.paid(attempt, { amountMinor: received })
    await ledger.readCheckout({ checkoutId })
    await ledger.readTimeline({ accountId, checkoutId })
  }
  const toHandle = await pay.startHandle(accountId, { amountMinor })
  const attempt = await pay.prompted(toHandle.intent)
  await pay.paid(attempt, { amountMinor: askedMinor })
  await ledger.readHandlePayment(attempt)
  await ledger.checkWallet({ accountId })
  await ledger.readWallet({ accountId })
}

async function typed({ ledger, pay }: Recording): Promise<void> {
  const menu = payBill(ledger)
  const accountId = await pay.merchant()
  for (const received of [askedMinor, amountMinor]) {
    const { checkoutId } = await pay.checkout({ accountId, amountMinor })
    const accountNumber = await menu.number(checkoutId)
    await menu.paid({ accountNumber, amountMinor: received, receipt: uniqueReceipt() })
    await ledger.retrieveCheckout({ accountId, checkoutId })
  }
}

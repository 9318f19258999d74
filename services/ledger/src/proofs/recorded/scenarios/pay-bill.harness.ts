import type { PayBillPaid } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { uniqueReceipt } from '../../../payments.harness'
import { payBill as payBillMenu, payBillNumberKey } from '../../../pay-bill/pay-bill.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Money from the Pay Bill menu: validations, confirmations, rows of the statement. */
export const payBill: Scenario = {
  name: 'pay-bill',
  config: { payBillNumberKey },
  async play(at) {
    await checking(at)
    await toCheckouts(at)
    await unconfirmed(at)
    await toHandles(at)
    await unknownPayee(at)
  },
}

const amountMinor = 50_000n
const statement = { kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' } as const
const handle = 'Mama-Mboga'

async function order(at: Recording) {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await payBillMenu(at.ledger).number(checkoutId)
  return { accountId, checkoutId, accountNumber, amountMinor, receipt: uniqueReceipt() }
}

async function checking(at: Recording): Promise<void> {
  const { ledger, pay } = at
  const { accountNumber, accountId } = await order(at)
  const receipt = uniqueReceipt()
  const check = (typed: string, minor = amountMinor) =>
    ledger.checkPayBill({ receipt, accountNumber: typed, amountMinor: minor })
  await check(accountNumber)
  await check(accountNumber.toLowerCase().replace(/^(cs)(.{4})/, '$1 $2-'))
  for (const minor of [49_999n, 50_001n, 99n]) await check(accountNumber, minor)
  await check(accountNumber.replace(/\d$/, (digit) => (digit === '0' ? '1' : '0')))
  for (const typed of ['CS00000000', 'rent', '']) await check(typed)
  const payee = { accountId, handle }
  await ledger.checkPayBill({ receipt, accountNumber: handle, amountMinor, payee })
  await ledger.checkPayBill({ receipt, accountNumber: handle, amountMinor: 99n, payee })
  const abroad = { accountId: 'acc_gone', handle }
  await ledger.checkPayBill({ receipt, accountNumber: handle, amountMinor, payee: abroad })
  await pay.merchant()
}

async function toCheckouts(at: Recording): Promise<void> {
  const { ledger, pay, pass, refused } = at
  const menu = payBillMenu(ledger)
  const paid = await order(at)
  await menu.paid({ ...paid, phone: '254708374149' })
  await menu.paid({ ...paid, ...statement })
  await menu.paid({ ...paid, receipt: uniqueReceipt() })
  await ledger.readCheckout(paid)
  await ledger.retrieveCheckout(paid)
  await refused(pay.start(paid.checkoutId))
  const short = await order(at)
  await menu.paid({ ...short, amountMinor: 25_000n })
  await menu.paid({ ...short, amountMinor: 25_000n, receipt: uniqueReceipt() })
  await ledger.readTimeline(short)
  const prompted = await order(at)
  const attempt = await pay.pending(prompted.checkoutId)
  await menu.paid(prompted)
  await ledger.readCheckout(prompted)
  await pay.paid(attempt)
  await ledger.readTimeline(prompted)
  await menu.paid({ accountNumber: 'rent november', amountMinor })
  const messageId = await menu.store('{"TransAmount":"5,00"}')
  const fact = { $case: 'unreadable', value: { detail: 'no amount' } } as const
  await ledger.applyEvidence({ messageId, fact })
  await ledger.readProviderMessage({ messageId })
  const late = await order(at)
  await pass(1_860)
  await ledger.readCheckout(late)
  await menu.paid(late)
  await ledger.readCheckout(late)
}

/** A confirmation that does not repeat our answer to the validation waits for the statement. */
async function unconfirmed(at: Recording): Promise<void> {
  const { ledger, pass } = at
  const menu = payBillMenu(ledger)
  const forged = await order(at)
  const borne = await order(at)
  await pass(1_740)
  await menu.paid({ ...forged, unsigned: true })
  await menu.paid({ ...forged, thirdPartyId: '0123456789abcdef', receipt: uniqueReceipt() })
  await menu.paid({ ...borne, sourceKnown: false, unsigned: true })
  await ledger.readCheckout(borne)
  await menu.paid({ ...borne, unsigned: true, phone: '2547 ***** 000' })
  await ledger.readCheckout(borne)
  await pass(120)
  await ledger.readCheckout(forged)
  await menu.paid({ ...borne, ...statement })
  await ledger.readCheckout(borne)
  await pass(600)
  await ledger.readCheckout(forged)
  const { ledger: lenient } = await at.another({ payBillUnconfirmedMaxMinor: amountMinor })
  const small = await order(at)
  await payBillMenu(lenient).paid({ ...small, unsigned: true })
  await payBillMenu(lenient).paid({
    ...small,
    amountMinor: amountMinor + 1n,
    unsigned: true,
    receipt: uniqueReceipt(),
  })
}

async function toHandles(at: Recording): Promise<void> {
  const menu = payBillMenu(at.ledger)
  const accountId = await at.pay.merchant()
  const claim = { accountNumber: handle, amountMinor, payee: { accountId, handle } }
  await menu.paid(claim)
  await menu.paid({ ...claim, amountMinor: 99n })
  await menu.paid({ ...claim, payee: { accountId: 'acc_gone', handle } })
  await at.ledger.readWallet({ accountId })
  await at.ledger.listWalletEntries({ accountId, limit: 1 })
}

/** The handle cannot be looked up at first, and then it can. */
async function unknownPayee(at: Recording): Promise<void> {
  const { ledger, pass } = at
  const menu = payBillMenu(ledger)
  const accountId = await at.pay.merchant()
  const payment = { receipt: uniqueReceipt(), amountMinor, accountNumber: handle }
  const messageId = await menu.store(payment.receipt)
  const { thirdPartyId } = await ledger.checkPayBill(payment)
  const apply = (changes: Partial<PayBillPaid>) =>
    ledger.applyEvidence({
      messageId,
      fact: {
        $case: 'payBillPaid',
        value: { ...payment, thirdPartyId, payeeUnknown: true, ...changes },
      },
    })
  await apply({})
  await ledger.claimDue({ limit: 1 })
  await pass(30)
  await ledger.readProviderMessage({ messageId })
  await ledger.readReceipt({ subject: `mpesa:${payment.receipt}` })
  await apply({ payee: { accountId, handle }, payeeUnknown: false })
  await apply({ payee: { accountId, handle }, payeeUnknown: false })
  await ledger.readProviderMessage({ messageId })
  await ledger.readReceipt({ subject: `mpesa:${payment.receipt}` })
}

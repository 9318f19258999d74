import {
  CheckoutStatus,
  EvidenceResult,
  PayBillVerdict,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, type Pending, present, uniqueReceipt } from '../payments.harness'
import { note, operators } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'

/** KES 1,234.50, and the amount that a rail of whole shillings asks for instead. */
const amountMinor = 123_450n
const askedMinor = 123_500n

const at = ledgerOfFile({ mpesaWholeShillings: true, payBillNumberKey })
const { pay } = at
const menu = payBill(at.ledger)

async function order() {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId, amountMinor })
  const read = async () =>
    present((await at.ledger.retrieveCheckout({ accountId, checkoutId })).checkout)
  const seen = async () => present((await at.ledger.readCheckout({ checkoutId })).checkout)
  const balance = async () => (await at.ledger.readWallet({ accountId })).wallet?.balance?.minor
  return { accountId, checkoutId, read, seen, balance }
}

async function creditOf(receipt: string): Promise<string | undefined> {
  const { rows } = await at.database.pool.query<{ credit: string }>(
    'SELECT credit FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows[0]?.credit
}

async function pending(checkoutId: string): Promise<Pending> {
  return { ...(await pay.pending(checkoutId)), amountMinor: askedMinor }
}

test('sends prompt and status query with the next whole shilling, and shows the exact amount of the checkout', async () => {
  const { checkoutId, seen } = await order()
  const { intent } = await pay.start(checkoutId)
  expect(present(intent).amount?.minor).toBe(amountMinor)
  const { intentId } = present(intent)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  expect(prompt?.amount?.minor).toBe(askedMinor)
  await at.database.pool.query('UPDATE intents SET query_at = clock_timestamp() WHERE id = $1', [
    intentId,
  ])
  const { query } = await at.ledger.beginQuery({ intentId })
  expect(query?.amount?.minor).toBe(askedMinor)
  expect(await seen()).toMatchObject({ amount: { minor: amountMinor }, askedMinor })
})

test('a callback of the requested amount completes the checkout, and the wallet is credited the amount received', async () => {
  const { checkoutId, read, balance } = await order()
  expect((await pay.paid(await pending(checkoutId))).result).toBe(EvidenceResult.SETTLED)
  expect(await read()).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    amount: { minor: amountMinor },
    payment: { amountSettledMinor: askedMinor },
  })
  expect(await balance()).toBe(askedMinor)
})

test('a status answer without an amount counts for the requested amount', async () => {
  const { checkoutId, balance } = await order()
  const { intentId, providerRequestId } = await pending(checkoutId)
  const messageId = await pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
  const fact = confirmed({ receipt: uniqueReceipt(), providerRequestId })
  expect((await at.ledger.applyEvidence({ messageId, fact })).result).toBe(EvidenceResult.SETTLED)
  expect(await balance()).toBe(askedMinor)
})

test('a callback of the exact cents, for which no prompt asked, posts nothing', async () => {
  const { checkoutId, read } = await order()
  const answer = await pay.paid(await pending(checkoutId), { amountMinor })
  expect(answer.result).toBe(EvidenceResult.KEPT)
  expect((await read()).status).toBe(CheckoutStatus.OPEN)
})

test('the Pay Bill menu accepts exactly the requested amount', async () => {
  const { checkoutId, accountId, read } = await order()
  const accountNumber = await menu.number(checkoutId)
  const check = async (minor: bigint) =>
    (await at.ledger.checkPayBill({ accountNumber, amountMinor: minor, receipt: 'R' })).verdict
  expect(await check(amountMinor)).toBe(PayBillVerdict.WRONG_AMOUNT)
  expect(await check(123_400n)).toBe(PayBillVerdict.WRONG_AMOUNT)
  expect(await check(askedMinor)).toBe(PayBillVerdict.ACCEPTED)
  const receipt = uniqueReceipt()
  await menu.paid({ accountNumber, amountMinor: askedMinor, receipt })
  expect(await creditOf(receipt)).toBe(`wallet:${accountId}`)
  expect(await read()).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { amountSettledMinor: askedMinor },
  })
})

test('a Pay Bill payment of the exact cents is held, and held money of the requested amount can be placed with the checkout', async () => {
  const { checkoutId, read } = await order()
  const accountNumber = await menu.number(checkoutId)
  const [short, full] = [uniqueReceipt(), uniqueReceipt()]
  await menu.paid({ accountNumber, amountMinor, receipt: short })
  expect(await creditOf(short)).toBe('suspense:mismatch')
  await menu.paid({ accountNumber: 'CS00000000', amountMinor: askedMinor, receipt: full })
  expect(await creditOf(full)).toBe('suspense:unmatched')
  const by = operators(at)
  await by.enroll()
  const owner = { $case: 'checkoutId', value: checkoutId } as const
  const answer = await by.amina.askPlacement({ subject: `mpesa:${full}`, owner, note })
  await by.brian.decidePlacement({ placementId: present(answer.placementId), agreed: true, note })
  expect(await read()).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { amountSettledMinor: askedMinor },
  })
})

test('a payment to a handle is requested in the next whole shilling, which its wallet receives', async () => {
  const accountId = await pay.merchant()
  const { intent } = await pay.startHandle(accountId, { amountMinor })
  expect(present(intent).amount?.minor).toBe(amountMinor)
  const attempt = await pay.prompted(intent)
  const { payment } = await at.ledger.readHandlePayment({ intentId: attempt.intentId })
  expect(payment).toMatchObject({ amount: { minor: amountMinor }, askedMinor })
  await pay.paid({ ...attempt, amountMinor: askedMinor })
  expect((await at.ledger.readWallet({ accountId })).wallet?.balance?.minor).toBe(askedMinor)
})

test('tells the gateway whether payers are asked for whole shillings', async () => {
  const accountId = await pay.merchant()
  expect((await at.ledger.checkWallet({ accountId })).wholeMajorsOnly).toBe(true)
  const { ledger: exact } = await at.another()
  expect((await exact.checkWallet({ accountId })).wholeMajorsOnly).toBe(false)
})

test('an intent in flight keeps its requested amount when the setting changes', async () => {
  const { pay: exact } = await at.another()
  const { checkoutId, balance, seen } = await order()
  const attempt = await exact.pending(checkoutId)
  await pay.paid(attempt)
  expect(await balance()).toBe(amountMinor)
  expect((await seen()).askedMinor).toBe(amountMinor)
})

test('without the setting an amount with cents is requested and paid exactly', async () => {
  const { ledger, pay: exact } = await at.another()
  const { checkoutId, balance } = await order()
  expect((await ledger.readCheckout({ checkoutId })).checkout?.askedMinor).toBe(amountMinor)
  await exact.paid(await exact.pending(checkoutId))
  expect(await balance()).toBe(amountMinor)
})

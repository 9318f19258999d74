import { EvidenceResult, PayBillVerdict } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { payments, present, uniqueReceipt } from '../payments.harness'
import { type RunningLedger, startLedger } from '../start.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

let database: TestDatabase
let ledger: RunningLedger
let pay: ReturnType<typeof payments>
let menu: ReturnType<typeof payBill>

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  ledger = await startLedger(database, { payBillNumberKey })
  pay = payments(ledger)
  menu = payBill(ledger)
})

afterAll(async () => {
  await ledger.stop()
  await database.drop()
})

async function number(): Promise<string> {
  const { checkoutId } = await pay.checkout()
  return menu.number(checkoutId)
}

const check = (accountNumber: string, amountMinor = 50_000n, receipt = uniqueReceipt()) =>
  ledger.checkPayBill({ accountNumber, amountMinor, receipt })

test('accepts the exact amount of a checkout, however its number is typed', async () => {
  const accountNumber = await number()
  const typed = accountNumber.toLowerCase().replace('cs', 'cs ')
  expect((await check(typed)).verdict).toBe(PayBillVerdict.ACCEPTED)
})

test('row 52: refuses another amount before the money moves', async () => {
  expect((await check(await number(), 49_999n)).verdict).toBe(PayBillVerdict.WRONG_AMOUNT)
})

test.each(['CS00000000', 'mama.mboga', ''])('row 54: refuses the account %p', async (account) => {
  expect((await check(account)).verdict).toBe(PayBillVerdict.UNKNOWN_ACCOUNT)
})

test('row 29: accepts the payment of a prompt, because M-Pesa validates prompts too', async () => {
  const { checkoutId } = await pay.checkout()
  const { intent } = await pay.start(checkoutId)
  const { prompt } = await ledger.beginSubmit({ intentId: present(intent).intentId })
  const { verdict } = await check(present(prompt).attemptReference)
  expect(verdict).toBe(PayBillVerdict.ACCEPTED)
})

test('row 61: a confirmation needs the answer that we gave to its validation', async () => {
  const accountNumber = await number()
  const payment = { accountNumber, amountMinor: 50_000n, receipt: uniqueReceipt() }
  expect((await menu.paid({ ...payment, unsigned: true })).result).toBe(EvidenceResult.KEPT)
  const { thirdPartyId } = await check(accountNumber, 50_000n, payment.receipt)
  const other = await check(accountNumber, 50_000n)
  expect((await menu.paid({ ...payment, thirdPartyId: other.thirdPartyId })).result).toBe(
    EvidenceResult.KEPT,
  )
  expect((await menu.paid({ ...payment, thirdPartyId })).result).toBe(EvidenceResult.SETTLED)
})

test('gives many checkouts that are made at once different numbers', async () => {
  const accountId = await pay.merchant()
  const made = await Promise.all(Array.from({ length: 150 }, () => pay.checkout({ accountId })))
  const numbers: string[] = []
  for (const { checkoutId } of made) numbers.push(await menu.number(checkoutId))
  expect(new Set(numbers).size).toBe(150)
  for (const given of numbers) expect(given).toMatch(/^CS\d{8}$/)
})

test('gives a checkout no Pay Bill number where there is no Pay Bill menu', async () => {
  const other = await cloneDatabase('ledger')
  const uganda = await startLedger(other, { country: countries.ug, rails: [] })
  const { checkoutId } = await payments(uganda).checkout()
  const { checkout } = await uganda.readCheckout({ checkoutId })
  expect(present(checkout).payBillAccountNumber).toBeUndefined()
  await uganda.stop()
  await other.drop()
})

import { openLedger, type TestLedger } from '../ledger.harness'
import { hold } from '../locks.harness'
import { uniqueReceipt } from '../payments.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

let at: TestLedger
let menu: ReturnType<typeof payBill>

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey })
  menu = payBill(at.ledger)
})

afterAll(() => at.close())

test('two payments for one checkout at one moment: one for the merchant, one in suspense', async () => {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await menu.number(checkoutId)
  const receipts = [uniqueReceipt(), uniqueReceipt()]
  const held = await hold(at, 'checkouts', checkoutId)
  const paid = receipts.map((receipt) =>
    menu.paid({ accountNumber, amountMinor: 50_000n, receipt }),
  )
  await held.untilWaiting(2)
  await held.letGo()
  await Promise.all(paid)
  const { rows } = await at.database.pool.query(
    'SELECT credit FROM transfers WHERE event_key = ANY ($1) ORDER BY credit',
    [receipts.map((receipt) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toEqual([{ credit: 'suspense:duplicate' }, { credit: `wallet:${accountId}` }])
})

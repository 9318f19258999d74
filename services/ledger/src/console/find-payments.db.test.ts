import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const found = async (search: string) =>
  (await at.ledger.findPayments({ search, limit: 10 })).payments.map(({ intentId }) => intentId)

test('finds a payment by the ids of its checkout and intent, its receipt, and the end of its phone', async () => {
  const { checkoutId, intentId, subject } = await by.paid()
  const receipt = subject.replace('mpesa:', '')
  for (const search of [checkoutId, intentId, receipt, receipt.toLowerCase(), subject]) {
    expect(await found(search)).toEqual([intentId])
  }
  const { payments } = await at.ledger.findPayments({ search: intentId, limit: 1 })
  expect(payments).toMatchObject([{ checkoutId, receipt, status: 'INTENT_STATUS_COMPLETED' }])
  const tail = payments[0]?.phoneTail ?? ''
  expect(tail).toMatch(/^\d{3}$/)
  expect(await found(tail)).toContain(intentId)
})

test('finds every checkout of a reference, also one that was never tried', async () => {
  const [one, other] = [
    await at.pay.checkout({ reference: 'order-7' }),
    await at.pay.checkout({ reference: 'order-7' }),
  ]
  await at.pay.pending(one.checkoutId)
  const { payments } = await at.ledger.findPayments({ search: 'order-7', limit: 10 })
  expect(payments.map(({ checkoutId }) => checkoutId).sort()).toEqual(
    [one.checkoutId, other.checkoutId].sort(),
  )
  expect(await found('order-')).toEqual([])
})

test('refuses a search of fewer than three characters', async () => {
  await expect(found('12')).rejects.toMatchObject({ facts: { field: 'search' } })
})

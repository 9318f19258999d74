import { ledgerOfFile } from '../ledger.harness'
import { uniqueReceipt } from '../payments.harness'

const at = ledgerOfFile()
const { pay } = at

const read = (accountId: string, checkoutId: string) =>
  at.ledger.readTimeline({ accountId, checkoutId })

test('lists every attempt with its steps in order, and when the money arrived', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  await pay.declined(await pay.pending(checkoutId))
  const receipt = uniqueReceipt()
  await pay.paid(await pay.pending(checkoutId), { receipt })
  const { checkout, attempts } = await read(accountId, checkoutId)
  expect(checkout).toMatchObject({ completedAt: expect.any(Date), checkout: { checkoutId } })
  const steps = attempts.map((attempt) =>
    attempt.steps.map(({ status }) => status.replace('INTENT_STATUS_', '')),
  )
  const begun = ['CREATED', 'RESERVED', 'SUBMITTED', 'PENDING']
  expect(steps).toEqual([
    [...begun, 'FAILED'],
    [...begun, 'COMPLETED'],
  ])
  expect(attempts).toMatchObject([
    { cause: 'FAILURE_CAUSE_CANCELLED' },
    { providerReceipt: receipt, amountSettledMinor: 50_000n },
  ])
})

test('shows a duplicate payment as held, with the reason', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const first = await pay.pending(checkoutId)
  await pay.declined(first)
  await pay.paid(await pay.pending(checkoutId))
  await pay.paid(first)
  const { attempts } = await read(accountId, checkoutId)
  expect(attempts.map(({ heldBecause }) => heldBecause)).toEqual(['duplicate', undefined])
})

test('has no intents before the first payment', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  expect((await read(accountId, checkoutId)).attempts).toEqual([])
})

test("refuses another account's checkout and an unknown one alike", async () => {
  const { checkoutId } = await pay.checkout()
  const other = await pay.merchant()
  for (const id of [checkoutId, `cs_ke_${'0'.repeat(24)}`]) {
    await expect(read(other, id)).rejects.toMatchObject({ reason: 'checkout_not_found' })
  }
})

import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('lists all that happened to a payment: steps, calls, messages with their evidence, transfers and acts', async () => {
  const { checkoutId, intentId, subject, accountId } = await by.paid()
  await by.agreed(await by.requestedRefund(subject))
  const payment = { $case: 'checkoutId', value: checkoutId } as const
  const story = await at.ledger.readPayment({ payment })
  expect(story).toMatchObject({
    ...{ checkoutId, accountId, status: 'CHECKOUT_STATUS_COMPLETED' },
    intents: [{ intentId, status: 'INTENT_STATUS_COMPLETED' }],
    receipts: [{ subject, holder: `wallet:${accountId}` }],
  })
  const listed = story.events.map(({ kind, outcome }) =>
    [kind.replace('PAYMENT_EVENT_KIND_', '').toLowerCase(), outcome].join(' '),
  )
  for (const event of [
    ...['checkout created', 'step submitted', 'call accepted', 'message settled'],
    ...['transfer receipt', 'step completed', 'refund approved', 'action refund_approved'],
  ]) {
    expect(listed).toContain(event)
  }
  const message = story.events.find(({ kind }) => kind === 'PAYMENT_EVENT_KIND_MESSAGE')
  expect(message?.detail).toMatch(/^callback, E3, /)
  const times = story.events.map(({ at }) => at?.getTime() ?? 0)
  expect(times).toEqual([...times].sort((one, other) => one - other))
  expect(JSON.stringify(story, (_, value) => String(value))).not.toMatch(/2547\d{8}/)
})

test('shows a checkout past its time as open while an attempt may still be paid, as its payer reads it', async () => {
  const { checkoutId } = await at.pay.checkout()
  await letPass(at.database, 1_790)
  await at.pay.pending(checkoutId)
  await letPass(at.database, 20)
  const payment = { $case: 'checkoutId', value: checkoutId } as const
  const read = await at.ledger.readCheckout({ checkoutId })
  expect(read.checkout?.status).toBe('CHECKOUT_STATUS_OPEN')
  expect((await at.ledger.readPayment({ payment })).status).toBe('CHECKOUT_STATUS_OPEN')
})

test('finds a payment to a handle by its intent', async () => {
  const { intentId } = await at.pay.pendingToHandle(await at.pay.merchant())
  const payment = { $case: 'intentId', value: intentId } as const
  expect(await at.ledger.readPayment({ payment })).toMatchObject({
    ...{ checkoutId: undefined, reference: 'Mama-Mboga', intents: [{ intentId }] },
  })
})

test('refuses an unknown id', async () => {
  const payment = { $case: 'checkoutId', value: 'cs_ke_0' } as const
  await expect(at.ledger.readPayment({ payment })).rejects.toMatchObject({
    facts: { field: 'payment' },
  })
})

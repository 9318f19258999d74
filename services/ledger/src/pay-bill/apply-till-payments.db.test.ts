import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { settledInvariants } from '../invariants.harness'
import { ledgerOfFile } from '../ledger.harness'
import { present, uniquePhone, uniqueReceipt } from '../payments.harness'
import { letPass, past } from '../time.harness'
import { payBillNumberKey, type PaidFromMenu } from './pay-bill.harness'
import { statementRows } from '../statements/statement-rows.harness'

const at = ledgerOfFile({ payBillNumberKey })
const statement = statementRows(at)

/** A payment to the till from a phone, as the statement shows it. */
function till(phone: string, changes: Partial<PaidFromMenu> = {}) {
  const receipt = uniqueReceipt()
  return {
    accountNumber: '',
    amountMinor: 50_000n,
    receipt,
    phone,
    paidAt: new Date(systemClock.now()),
    ...changes,
  }
}

const statusOf = async (checkoutId: string) => {
  const { checkout } = await at.ledger.readCheckout({ checkoutId })
  return present(checkout).status.replace('CHECKOUT_STATUS_', '')
}

async function creditOf(receipt: string): Promise<string | undefined> {
  const { rows } = await at.database.pool.query<{ credit: string }>(
    'SELECT credit FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows[0]?.credit
}

test('a row of the statement with the number of a checkout completes it', async () => {
  const phone = uniquePhone()
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId, phone })
  const payment = till(phone)
  expect(await statement.shown([payment])).toMatchObject([
    { result: 'EVIDENCE_RESULT_SETTLED', checkoutId },
  ])
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
  expect(await creditOf(payment.receipt)).toBe(`wallet:${accountId}`)
})

test('a row of a prompt whose callback was lost settles that prompt', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout()
  const { intent } = await at.pay.start(checkoutId, { phone })
  const { intentId } = await at.pay.prompted(intent)
  const payment = till(phone)
  await statement.shown([payment])
  const { checkout } = await at.ledger.readCheckout({ checkoutId })
  expect(present(checkout)).toMatchObject({ status: 'CHECKOUT_STATUS_COMPLETED', intentId })
})

test('a row completes a checkout whose prompt ended long ago, while its page shows the till', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.prompted((await at.pay.start(checkoutId, { phone })).intent)
  const late = till(phone, { paidAt: new Date(systemClock.now() + 25 * 60_000) })
  await statement.shown([late])
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
})

test('when two rows of one payer come together, one completes the checkout and the other is held', async () => {
  const phone = uniquePhone()
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId, phone })
  const rows = [till(phone), till(phone)]
  // The second row is about the same checkout as the first, so it is left out until the statement is read again.
  await statement.shown(rows)
  await statement.shown(rows)
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
  const credits = await Promise.all(rows.map(({ receipt }) => creditOf(receipt)))
  expect(credits.toSorted()).toEqual(['suspense:duplicate', `wallet:${accountId}`])
})

test('a row that comes again, and its confirmation after it, post nothing more', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout({ phone })
  const payment = till(phone)
  await statement.shown([payment])
  await statement.shown([payment])
  await statement.menu.paid({ ...payment, phone: `${phone.slice(0, 4)} ***** ${phone.slice(-3)}` })
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
  const { rows } = await at.database.pool.query(
    'SELECT minor::text FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${payment.receipt}`],
  )
  expect(rows).toEqual([{ minor: '50000' }])
})

test.each<[string, (phone: string) => Promise<Partial<PaidFromMenu>>]>([
  [
    'two checkouts of the payer have the amount',
    async (phone) => {
      await at.pay.checkout({ phone })
      await at.pay.checkout({ phone })
      return {}
    },
  ],
  [
    'the number is masked',
    async (phone) => {
      await at.pay.checkout({ phone })
      return { phone: `${phone.slice(0, 4)} ***** ${phone.slice(-3)}` }
    },
  ],
  [
    'the number is of another payer',
    async () => {
      await at.pay.checkout({ phone: uniquePhone() })
      return {}
    },
  ],
  [
    'its payer typed an account number that does not exist',
    async (phone) => {
      await at.pay.checkout({ phone })
      return { accountNumber: 'rent november' }
    },
  ],
  [
    'a prompt went to another phone',
    async () => {
      const { checkoutId } = await at.pay.checkout()
      await at.pay.prompted((await at.pay.start(checkoutId)).intent)
      return {}
    },
  ],
  [
    'a prompt of another shop is on the phone, and the prompt of the checkout still waits for it',
    async (phone) => {
      await at.pay.prompted((await startedOf(phone)).intent)
      await startedOf(phone)
      return {}
    },
  ],
  [
    'the amount is another',
    async (phone) => {
      await at.pay.checkout({ phone })
      return { amountMinor: 50_100n }
    },
  ],
  [
    'the row has no time',
    async (phone) => {
      await at.pay.checkout({ phone })
      return { paidAt: undefined }
    },
  ],
])('a row is held for an operator where %s', async (_what, arrange) => {
  const phone = uniquePhone()
  const payment = till(phone, await arrange(phone))
  await statement.shown([payment])
  expect(await creditOf(payment.receipt)).toBe('suspense:unmatched')
})

test('a confirmation whose phone is masked posts nothing before the statement shows the payment', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout({ phone })
  const payment = till(phone, { phone: `${phone.slice(0, 4)} ***** ${phone.slice(-3)}` })
  expect((await statement.menu.paid(payment)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await creditOf(payment.receipt)).toBeUndefined()
  await statement.shown([{ ...payment, phone }])
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
})

test('a confirmation of a prompt and its callback post the money once, whichever comes first', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout()
  const { intent } = await at.pay.start(checkoutId, { phone })
  const { intentId } = await at.pay.prompted(intent)
  const payment = till(phone)
  const masked = `${phone.slice(0, 4)} ***** ${phone.slice(-3)}`
  await statement.menu.paid({ ...payment, phone: masked })
  await statement.shown([payment])
  await statement.menu.paid({ ...payment, phone: masked, sourceKnown: false })
  const { checkout } = await at.ledger.readCheckout({ checkoutId })
  expect(present(checkout)).toMatchObject({ status: 'CHECKOUT_STATUS_COMPLETED', intentId })
  const { rows } = await at.database.pool.query(
    'SELECT minor::text FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${payment.receipt}`],
  )
  expect(rows).toEqual([{ minor: '50000' }])
})

test('a row held with a masked number settles the prompt whose callback names its receipt later', async () => {
  const phone = uniquePhone()
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const attempt = await at.pay.prompted((await at.pay.start(checkoutId, { phone })).intent)
  const payment = till(phone, { phone: `${phone.slice(0, 4)} ***** ${phone.slice(-3)}` })
  await statement.shown([payment])
  expect(await creditOf(payment.receipt)).toBe('suspense:unmatched')
  await at.pay.paid(attempt, { receipt: payment.receipt })
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
  const { holder } = await at.ledger.readReceipt({ subject: `mpesa:${payment.receipt}` })
  expect(holder).toBe(`wallet:${accountId}`)
  expect(await settledInvariants(at.database)).toEqual({})
})

/** A checkout of a separate shop, created without the payer's phone, and an attempt whose prompt is not sent yet. */
async function startedOf(phone: string) {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const { intent } = await at.pay.start(checkoutId, { phone })
  return { accountId, checkoutId, intent }
}

test.each<[string, (phone: string) => Promise<Awaited<ReturnType<typeof startedOf>>>]>([
  ['was not sent yet', startedOf],
  [
    'was never sent before it expired',
    async (phone) => {
      const started = await startedOf(phone)
      await letPass(at.database, 120)
      await eventually('it expires', async () => {
        return (await at.pay.status(present(started.intent).intentId)) === 'INTENT_STATUS_EXPIRED'
      })
      return started
    },
  ],
])(
  'a row completes a checkout whose prompt %s, as its page shows the till',
  async (_what, arrange) => {
    const phone = uniquePhone()
    const { accountId, checkoutId } = await arrange(phone)
    const payment = till(phone)
    expect(await statement.shown([payment])).toMatchObject([{ checkoutId }])
    expect(await statusOf(checkoutId)).toBe('COMPLETED')
    expect(await creditOf(payment.receipt)).toBe(`wallet:${accountId}`)
  },
)

test('a row completes a checkout without an account number', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout({ phone })
  await past(at.database, async (query) => {
    await query('DELETE FROM pay_bill_numbers WHERE checkout_id = $1', [checkoutId])
  })
  await statement.shown([till(phone)])
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
})

test('a second payment to the till for a checkout that is paid by then is held', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await at.pay.checkout({ phone })
  const first = till(phone)
  await statement.shown([first])
  const second = till(phone, { paidAt: new Date(systemClock.now() + 60_000) })
  await statement.shown([second])
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
  expect(await creditOf(second.receipt)).toBe('suspense:unmatched')
})

test('a payment to the till completes a checkout although its payer declined a prompt of another one, which is paid', async () => {
  const phone = uniquePhone()
  const before = await at.pay.checkout()
  const prompted = async () =>
    at.pay.prompted((await at.pay.start(before.checkoutId, { phone })).intent)
  await at.pay.declined(await prompted())
  await letPass(at.database, 60)
  await at.pay.paid(await prompted())
  const { checkoutId } = await at.pay.checkout({ phone })
  await statement.shown([till(phone, { paidAt: new Date(systemClock.now() + 1_000) })])
  expect(await statusOf(before.checkoutId)).toBe('COMPLETED')
  expect(await statusOf(checkoutId)).toBe('COMPLETED')
})

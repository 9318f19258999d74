import {
  CheckoutStatus,
  type MerchantCheckout,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import type { TestDatabase } from '@malipo/testing/database'
import { fingerprint, insist, payments, present, unique } from '../payments.harness'
import { openLedger } from '../ledger.harness'
import type { RunningLedger } from '../start.harness'
import { slowDown } from '../time.harness'

let database: TestDatabase
let ledger: RunningLedger
let close: () => Promise<void>
let accountId: string

beforeAll(async () => {
  const opened = await openLedger()
  ;({ database, ledger, close } = opened)
  accountId = await opened.pay.merchant()
})

afterAll(() => close())

function create(changes: Partial<Parameters<RunningLedger['createCheckout']>[0]> = {}) {
  return ledger.createCheckout({ accountId, fingerprint, amountMinor: 50_000n, ...changes })
}

test('creates an open checkout with the texts of the request, which lives for half an hour', async () => {
  const input = {
    reference: 'order-17',
    description: 'Two tickets',
    returnUrl: 'https://shop.example/thanks',
  }
  const { checkout, replayed } = await create({ ...input, phone: '254708374149' })
  expect(replayed).toBe(false)
  expect(checkout).toEqual({
    ...input,
    checkoutId: expect.stringMatching(/^cs_ke_[0-9a-f]{24}$/) as string,
    status: CheckoutStatus.OPEN,
    amount: { currency: 'KES', minor: 50_000n },
    createdAt: expect.any(Date) as Date,
    expiresAt: expect.any(Date) as Date,
  } satisfies MerchantCheckout)
  const { createdAt, expiresAt } = present(checkout)
  expect(present(expiresAt).getTime() - present(createdAt).getTime()).toBe(1_800_000)
})

test('answers a repeated key with the checkout that it made', async () => {
  const idempotencyKey = unique('key-')
  const first = await create({ idempotencyKey })
  const second = await create({ idempotencyKey })
  expect(second).toEqual({ checkout: first.checkout, replayed: true })
})

test('refuses a key that came with other input', async () => {
  const idempotencyKey = unique('key-')
  await create({ idempotencyKey })
  await expect(create({ idempotencyKey, fingerprint: Buffer.alloc(32, 8) })).rejects.toMatchObject({
    reason: 'idempotency_mismatch',
  })
})

test('checks the idempotency key first: other input is a mismatch even when its amount is outside the limits', async () => {
  const idempotencyKey = unique('key-')
  await create({ idempotencyKey })
  await expect(
    create({ idempotencyKey, fingerprint: Buffer.alloc(32, 8), amountMinor: 1n }),
  ).rejects.toMatchObject({ reason: 'idempotency_mismatch' })
})

test('keeps the keys of two accounts apart', async () => {
  const idempotencyKey = unique('key-')
  const other = await payments(ledger).merchant()
  const mine = await create({ idempotencyKey })
  const theirs = await create({ idempotencyKey, accountId: other })
  expect(theirs.replayed).toBe(false)
  expect(theirs.checkout?.checkoutId).not.toBe(mine.checkout?.checkoutId)
})

test('does not remember a refusal: the key makes a checkout once the input is right', async () => {
  const idempotencyKey = unique('key-')
  await expect(create({ idempotencyKey, amountMinor: 99n })).rejects.toMatchObject({
    reason: 'amount_outside_limits',
  })
  expect((await create({ idempotencyKey })).replayed).toBe(false)
})

test('row 43: two creates without a key make two checkouts', async () => {
  const made = [await create(), await create()]
  const ids = made.map(({ checkout, replayed }) => [checkout?.checkoutId, replayed])
  expect(new Set(ids.map(([id]) => id)).size).toBe(2)
  expect(ids.map(([, replayed]) => replayed)).toEqual([false, false])
})

test('row 42: 50 creates with one key at one moment make one checkout', async () => {
  const crowd = await openLedger()
  await slowDown(crowd.database, 'idempotency_keys')
  const order = { accountId: await crowd.pay.merchant(), fingerprint, amountMinor: 50_000n }
  const createAll = (idempotencyKey?: string) =>
    Promise.all(
      Array.from({ length: 50 }, () =>
        insist(() => crowd.ledger.createCheckout({ ...order, idempotencyKey })),
      ),
    )
  // Opens all connections of the pool, so that the next fifty calls do not wait for one.
  await createAll()
  const answers = await createAll('key')
  expect(new Set(answers.map(({ checkout }) => checkout?.checkoutId)).size).toBe(1)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  await crowd.close()
})

test.each([
  ['below the minimum', 99n],
  ['above the maximum', 15_000_001n],
])('refuses an amount %s of Kenya', async (_, amountMinor) => {
  await expect(create({ amountMinor })).rejects.toMatchObject({ reason: 'amount_outside_limits' })
})

test.each([100n, 101n, 15_000_000n])('takes %s minor units in Kenya', async (amountMinor) => {
  expect((await create({ amountMinor })).checkout?.amount?.minor).toBe(amountMinor)
})

test('refuses an account without a wallet here', async () => {
  await expect(create({ accountId: 'acc_unknown' })).rejects.toMatchObject({
    reason: 'checkout_not_found',
  })
})

test('refuses an account whose wallet is frozen', async () => {
  const frozen = await payments(ledger).merchant()
  await database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [frozen])
  await expect(create({ accountId: frozen })).rejects.toMatchObject({
    reason: 'checkout_not_found',
  })
})

test('refuses a key without the fingerprint of its input', async () => {
  await expect(
    create({ idempotencyKey: 'key', fingerprint: Buffer.alloc(31) }),
  ).rejects.toMatchObject({ reason: 'invalid_request', facts: { field: 'fingerprint' } })
})

test('creates checkouts of Uganda in whole Ugandan shillings', async () => {
  const ugandan = await openLedger({ country: countries.ug, rails: [] })
  const owner = await ugandan.pay.merchant()
  const make = (amountMinor: bigint) =>
    ugandan.ledger.createCheckout({ accountId: owner, fingerprint, amountMinor })
  const { checkout } = await make(500_000_000n)
  expect(checkout).toMatchObject({ amount: { currency: 'UGX', minor: 500_000_000n } })
  expect(checkout?.checkoutId).toMatch(/^cs_ug_/)
  await expect(make(150n)).rejects.toMatchObject({ reason: 'amount_outside_limits' })
  await ugandan.close()
})

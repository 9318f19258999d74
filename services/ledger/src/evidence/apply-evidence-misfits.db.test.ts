import {
  CheckoutStatus,
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, type Pending, uniqueReceipt } from '../payments.harness'
import { evidence } from './evidence.harness'

const at = ledgerOfFile()
const { pay } = at
const received = evidence(at)

const rowOf = (amountMinor: bigint) => confirmed({ receipt: uniqueReceipt(), amountMinor })
const row = (attempt: Pending, amountMinor: bigint) =>
  received.fetched(attempt, rowOf(amountMinor), ProviderMessageKind.STATEMENT_ROW)

test.each([49_900n, 50_100n])(
  'row 52: %s instead of 50000 cents is held in suspense',
  async (minor) => {
    const attempt = await received.pending()
    expect(await row(attempt, minor)).toMatchObject({ result: EvidenceResult.SETTLED })
    expect(await received.checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.OPEN)
    expect(await received.suspended(attempt.checkoutId)).toEqual([
      { reason: 'mismatch', minor: String(minor), credit: 'suspense:mismatch' },
    ])
    expect(await received.transfers(`wallet:${attempt.accountId}`)).toEqual([])
  },
)

test('row 53: two payments of half the amount each do not complete the checkout', async () => {
  const attempt = await received.pending()
  await row(attempt, 25_000n)
  await row(attempt, 25_000n)
  expect(await received.checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.OPEN)
  expect(await received.suspended(attempt.checkoutId)).toHaveLength(2)
})

test('the exact amount after a wrong one still completes the checkout', async () => {
  const attempt = await received.pending()
  await row(attempt, 25_000n)
  await row(attempt, 50_000n)
  expect(await received.checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
  expect(await received.suspended(attempt.checkoutId)).toHaveLength(1)
})

test('a second receipt for one prompt is posted to suspense, with a new intent', async () => {
  const attempt = await received.pending()
  await pay.paid(attempt)
  const before = await received.counted('double_payment')
  await row(attempt, 50_000n)
  expect(await received.suspended(attempt.checkoutId)).toEqual([
    { reason: 'duplicate', minor: '50000', credit: 'suspense:duplicate' },
  ])
  expect(await received.counted('double_payment')).toBe(before + 1)
})

test('row 15: late money after another attempt completed the checkout is a duplicate', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  await pay.paid(await pay.pending(checkoutId))
  expect(await pay.paid(older)).toEqual({
    result: EvidenceResult.SETTLED,
    status: IntentStatus.COMPLETED,
  })
  expect(await received.suspended(checkoutId)).toMatchObject([{ reason: 'duplicate' }])
  expect(await received.transfers(`wallet:${accountId}`)).toHaveLength(1)
})

test('row 47: money for a wallet that was frozen after the prompt waits in suspense', async () => {
  const attempt = await received.pending()
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    attempt.accountId,
  ])
  expect(await pay.paid(attempt)).toMatchObject({ status: IntentStatus.COMPLETED })
  expect(await received.suspended(attempt.checkoutId)).toMatchObject([{ reason: 'unmatched' }])
  expect(await received.transfers(`wallet:${attempt.accountId}`)).toEqual([])
})

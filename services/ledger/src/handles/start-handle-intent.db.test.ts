import {
  EvidenceResult,
  IntentStatus,
  Rail,
  type StartHandleIntentRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { ledgerOfFile } from '../ledger.harness'
import { insist, present, unique, uniquePhone, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at
let accountId: string

beforeEach(async () => {
  accountId = await pay.merchant()
})

/** The accounts that a receipt was credited to. */
async function creditOf(receipt: string): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ credit: string }>(
    'SELECT credit FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows.map(({ credit }) => credit)
}

async function freeze(): Promise<void> {
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
}

const intentsOf = (account: string) =>
  at.database.pool
    .query('SELECT handle, amount_minor FROM intents WHERE account_id = $1', [account])
    .then(({ rows }) => rows as unknown[])

test('reserves an attempt of the amount, in the name of the handle', async () => {
  const { intent, replayed } = await pay.startHandle(accountId, { amountMinor: 12_345n })
  expect(replayed).toBe(false)
  expect(intent).toEqual({
    intentId: expect.stringMatching(/^pi_[0-9a-f]{24}$/) as string,
    status: IntentStatus.RESERVED,
    amount: { currency: 'KES', minor: 12_345n },
    rail: Rail.MPESA,
  })
  expect(await intentsOf(accountId)).toEqual([{ handle: 'Mama-Mboga', amount_minor: '12345' }])
})

test('a paid prompt credits the wallet', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const receipt = uniqueReceipt()
  expect((await pay.paid(attempt, { receipt })).result).toBe(EvidenceResult.SETTLED)
  expect(await pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
})

test('a callback that is delivered a hundred times credits the wallet once', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const receipt = uniqueReceipt()
  await Promise.all(Array.from({ length: 100 }, () => insist(() => pay.paid(attempt, { receipt }))))
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
})

test('a second receipt for one prompt is held as a duplicate, with a new intent', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const second = uniqueReceipt()
  await pay.paid(attempt)
  expect((await pay.paid(attempt, { receipt: second })).result).toBe(EvidenceResult.SETTLED)
  expect(await creditOf(second)).toEqual(['suspense:duplicate'])
  expect(await intentsOf(accountId)).toHaveLength(2)
})

test('a payment of another amount than requested is held and credits no wallet', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const receipt = uniqueReceipt()
  const messageId = await pay.fetched(attempt.intentId, 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW')
  const value = { receipt, amountMinor: 49_999n, providerRequestId: undefined, paidAt: undefined }
  await at.ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
  expect(await creditOf(receipt)).toEqual(['suspense:mismatch'])
})

test('row 47: money for a wallet that was frozen after the prompt is held in suspense', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  await freeze()
  const receipt = uniqueReceipt()
  await pay.paid(attempt, { receipt })
  expect(await creditOf(receipt)).toEqual(['suspense:unmatched'])
})

test('money that arrives after the attempt expired is still credited to the wallet', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  await letPass(at.database, 160)
  await at.another()
  const receipt = uniqueReceipt()
  await pay.paid(attempt, { receipt })
  expect(await pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
})

test('a declined prompt fails', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  await pay.declined(attempt)
  expect(await pay.status(attempt.intentId)).toBe(IntentStatus.FAILED)
})

test('answers a repeated key with its attempt, also when the phone has reached the prompt limit', async () => {
  const request = { idempotencyKey: unique('key-'), phone: uniquePhone(), amountMinor: 100_000n }
  const { intent } = await pay.startHandle(accountId, request)
  const { pay: stricter } = await at.another({
    country: { ...countries.ke, maxMinor: 99_999n },
  })
  expect(await stricter.startHandle(accountId, request)).toEqual({ intent, replayed: true })
})

test('row 33: refuses a key that came with other input', async () => {
  const idempotencyKey = unique('key-')
  await pay.startHandle(accountId, { idempotencyKey })
  const other = { idempotencyKey, fingerprint: Buffer.alloc(32, 8) }
  await expect(pay.startHandle(accountId, other)).rejects.toMatchObject({
    reason: 'idempotency_mismatch',
  })
})

test('row 34: one key for two payees starts two attempts', async () => {
  const idempotencyKey = unique('key-')
  const { intent } = await pay.startHandle(accountId, { idempotencyKey })
  const other = await pay.startHandle(await pay.merchant(), { idempotencyKey })
  expect(other.replayed).toBe(false)
  expect(other.intent?.intentId).not.toBe(intent?.intentId)
})

test('a key that created a checkout of the account starts a new attempt to its handle', async () => {
  const key = unique('key-')
  await pay.checkout({ accountId, idempotencyKey: key })
  expect((await pay.startHandle(accountId, { idempotencyKey: key })).replayed).toBe(false)
})

test('a second payment to a handle starts while the first is in flight', async () => {
  const phone = uniquePhone()
  const first = await pay.startHandle(accountId, { phone })
  const second = await pay.startHandle(accountId, { phone })
  expect(second.intent?.intentId).not.toBe(first.intent?.intentId)
})

test.each([
  ['an account without a wallet', 'acc_unknown', {}, 'checkout_not_found'],
  ['an amount below the minimum', undefined, { amountMinor: 99n }, 'amount_outside_limits'],
  ['an amount above the maximum', undefined, { amountMinor: 15_000_001n }, 'amount_outside_limits'],
  ['a rail of another country', undefined, { rail: Rail.MTN_MOMO }, 'invalid_request'],
  ['a rail without a phone', undefined, { rail: Rail.CARD }, 'invalid_request'],
])('refuses %s', async (_, account, changes: Partial<StartHandleIntentRequest>, reason) => {
  await expect(pay.startHandle(account ?? accountId, changes)).rejects.toMatchObject({ reason })
  expect(await intentsOf(accountId)).toEqual([])
})

test('row 46: refuses a wallet that is frozen', async () => {
  await freeze()
  await expect(pay.startHandle(accountId)).rejects.toMatchObject({ reason: 'checkout_not_found' })
})

test('accepts the lowest and the highest amount, and cents also where M-Pesa takes whole shillings only', async () => {
  await pay.startHandle(accountId, { amountMinor: 100n })
  await pay.startHandle(accountId, { amountMinor: 15_000_000n })
  const { pay: wholeOnly } = await at.another({ mpesaWholeShillings: true })
  const { intent } = await wholeOnly.startHandle(accountId, { amountMinor: 150n })
  expect(intent?.amount?.minor).toBe(150n)
})

test('refuses the sixth prompt to a phone within the hour, whether the five were for checkouts or handles', async () => {
  const phone = uniquePhone()
  for (let prompt = 0; prompt < 2; prompt += 1) {
    await pay.start((await pay.checkout()).checkoutId, { phone })
  }
  const key = unique('key-')
  for (let prompt = 0; prompt < 3; prompt += 1) {
    await pay.startHandle(accountId, { phone, idempotencyKey: `${key}${String(prompt)}` })
  }
  const refusal = await pay.startHandle(accountId, { phone }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ reason: 'rate_limited' })
  const { retry_after_seconds: wait } = (refusal as { facts: Record<string, number> }).facts
  expect(wait).toBeGreaterThan(3_500)
  expect((await pay.startHandle(accountId, { phone, idempotencyKey: `${key}0` })).replayed).toBe(
    true,
  )
  const { checkoutId } = await pay.checkout()
  await expect(pay.start(checkoutId, { phone })).rejects.toMatchObject({ reason: 'rate_limited' })
})

test('30 payments from one phone at the same moment start five attempts', async () => {
  const phone = uniquePhone()
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, () => insist(() => pay.startHandle(accountId, { phone }))),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('row 32: one key 20 times at the same moment starts one attempt, also with different phones', async () => {
  const idempotencyKey = unique('key-')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      insist(() => pay.startHandle(accountId, { idempotencyKey, phone: uniquePhone() })),
    ),
  )
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(answers.map(({ intent }) => present(intent).intentId)).size).toBe(1)
})

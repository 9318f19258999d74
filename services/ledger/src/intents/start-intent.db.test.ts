import { Rail, StartOutcome, IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile, openLedger } from '../ledger.harness'
import { fingerprint, insist, present, unique, uniquePhone } from '../payments.harness'
import { letPass, slowDown } from '../time.harness'

const at = ledgerOfFile()
const { database, ledger, pay } = at

async function intentsOf(checkoutId: string): Promise<number> {
  const found = await database.pool.query('SELECT 1 FROM intents WHERE checkout_id = $1', [
    checkoutId,
  ])
  return found.rowCount ?? 0
}

/** Ends the attempt in flight, so that the next one can start. */
async function fail(intentId: string): Promise<void> {
  await ledger.beginSubmit({ intentId })
  const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
  await ledger.recordSubmit({ intentId, outcome })
}

test('reserves an attempt of the whole amount', async () => {
  const { checkoutId } = await pay.checkout()
  const { intent, outcome } = await pay.start(checkoutId)
  expect(outcome).toBe(StartOutcome.STARTED)
  expect(intent).toEqual({
    intentId: expect.stringMatching(/^pi_[0-9a-f]{24}$/) as string,
    status: IntentStatus.RESERVED,
    amount: { currency: 'KES', minor: 50_000n },
    rail: Rail.MPESA,
  })
})

test('uses the first rail of the country when the request names none', async () => {
  const { checkoutId } = await pay.checkout()
  const request = { checkoutId, idempotencyKey: 'k', fingerprint, phone: uniquePhone() }
  const { intent } = await ledger.startIntent({ ...request, rail: Rail.UNSPECIFIED })
  expect(intent?.rail).toBe(Rail.MPESA)
})

test.each([Rail.MTN_MOMO, Rail.CARD, Rail.PAYBILL])(
  'refuses the rail %s, which this ledger does not have on',
  async (rail) => {
    const { checkoutId } = await pay.checkout()
    const request = { checkoutId, idempotencyKey: 'k', fingerprint, phone: uniquePhone(), rail }
    await expect(ledger.startIntent(request)).rejects.toMatchObject({
      reason: 'invalid_request',
      facts: { field: 'rail' },
    })
  },
)

test('row 34: one key on two checkouts starts two attempts', async () => {
  const key = unique('key-')
  const first = await pay.start((await pay.checkout()).checkoutId, { key })
  const second = await pay.start((await pay.checkout()).checkoutId, { key })
  expect(second.outcome).toBe(StartOutcome.STARTED)
  expect(second.intent?.intentId).not.toBe(first.intent?.intentId)
})

test('answers a repeated key with the current state of its attempt', async () => {
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  const { intent } = await pay.start(checkoutId, { key })
  await fail(present(intent).intentId)
  const replay = await pay.start(checkoutId, { key })
  expect(replay.outcome).toBe(StartOutcome.REPLAYED)
  expect(replay.intent).toEqual({ ...intent, status: IntentStatus.FAILED })
})

test('row 33: refuses a key that came with other input', async () => {
  const { checkoutId } = await pay.checkout()
  const request = { checkoutId, idempotencyKey: 'k', rail: Rail.MPESA, phone: uniquePhone() }
  await ledger.startIntent({ ...request, fingerprint })
  await expect(
    ledger.startIntent({ ...request, fingerprint: Buffer.alloc(32, 8) }),
  ).rejects.toMatchObject({ reason: 'idempotency_mismatch' })
})

test('row 36: a key that was answered "in progress" stays bound to that attempt, and starts no prompt later', async () => {
  const { checkoutId } = await pay.checkout()
  const first = await pay.start(checkoutId)
  const key = unique('key-')
  const joined = await pay.start(checkoutId, { key })
  expect(joined).toEqual({ intent: first.intent, outcome: StartOutcome.IN_PROGRESS })
  await fail(present(first.intent).intentId)
  const later = await pay.start(checkoutId, { key })
  expect(later.outcome).toBe(StartOutcome.REPLAYED)
  expect(later.intent?.intentId).toBe(first.intent?.intentId)
  expect(await intentsOf(checkoutId)).toBe(1)
})

test('refuses an unknown checkout', async () => {
  await expect(pay.start(`cs_ke_${'0'.repeat(24)}`)).rejects.toMatchObject({
    reason: 'checkout_not_found',
  })
})

test('row 46: refuses a checkout whose wallet is frozen', async () => {
  const { checkoutId } = await pay.checkout()
  await database.pool.query(
    `UPDATE wallets SET frozen_at = now() FROM checkouts
     WHERE checkouts.id = $1 AND wallets.account_id = checkouts.account_id`,
    [checkoutId],
  )
  await expect(pay.start(checkoutId)).rejects.toMatchObject({ reason: 'checkout_not_found' })
})

test('row 41: refuses a checkout that is paid, and row 35: still answers its replay', async () => {
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  const { intent } = await pay.start(checkoutId, { key })
  const { intentId } = present(intent)
  const { prompt } = await ledger.beginSubmit({ intentId })
  const { callbackToken } = present(prompt)
  await pay.paid({ intentId, callbackToken, providerRequestId: 'ws', amountMinor: 50_000n })
  await expect(pay.start(checkoutId)).rejects.toMatchObject({ reason: 'checkout_paid' })
  const replay = await pay.start(checkoutId, { key })
  expect(replay.intent).toMatchObject({ intentId, status: IntentStatus.COMPLETED })
})

test('refuses a checkout that has expired with nothing in flight', async () => {
  const { checkoutId } = await pay.checkout()
  await letPass(database, 1_801)
  await expect(pay.start(checkoutId)).rejects.toMatchObject({ reason: 'checkout_expired' })
})

test('row 39: returns the attempt in flight also after the checkout has expired', async () => {
  const { checkoutId } = await pay.checkout()
  await letPass(database, 1_790)
  const { intent } = await pay.start(checkoutId)
  await letPass(database, 20)
  expect(await pay.start(checkoutId)).toEqual({ intent, outcome: StartOutcome.IN_PROGRESS })
})

test('refuses the sixth prompt of a phone within the hour, and says when the next may start', async () => {
  const phone = uniquePhone()
  for (let prompt = 0; prompt < 5; prompt += 1) {
    await pay.start((await pay.checkout()).checkoutId, { phone })
    await letPass(database, 60)
  }
  const { checkoutId } = await pay.checkout()
  const refusal = await pay.start(checkoutId, { phone }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ reason: 'rate_limited' })
  const { retry_after_seconds: wait } = (refusal as { facts: Record<string, number> }).facts
  // The first of the five began 300 s ago.
  expect(wait).toBeGreaterThan(3_290)
  expect(wait).toBeLessThanOrEqual(3_300)
  await letPass(database, 3_300)
  const later = await pay.checkout()
  expect((await pay.start(later.checkoutId, { phone })).outcome).toBe(StartOutcome.STARTED)
})

test('refuses the twenty-first prompt of a checkout within the hour', async () => {
  const patient = await at.another({ checkoutLifeSeconds: 86_400 })
  const { checkoutId } = await patient.pay.checkout()
  for (let prompt = 0; prompt < 20; prompt += 1) {
    const { intent } = await pay.start(checkoutId)
    await fail(present(intent).intentId)
  }
  await expect(pay.start(checkoutId)).rejects.toMatchObject({ reason: 'rate_limited' })
  await letPass(database, 3_600)
  expect((await pay.start(checkoutId)).outcome).toBe(StartOutcome.STARTED)
})

test('replays, and answers with the attempt in flight, do not count toward the limit of a phone', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  for (let press = 0; press < 10; press += 1) {
    await pay.start(checkoutId, { phone, key })
    await pay.start(checkoutId, { phone })
  }
  const another = await pay.checkout()
  expect((await pay.start(another.checkoutId, { phone })).outcome).toBe(StartOutcome.STARTED)
})

test('row 31: 50 calls to pay one checkout at the same moment start one attempt', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { checkoutId } = await pay.checkout()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => insist(() => pay.start(checkoutId))),
    )
    expect(answers.filter(({ outcome }) => outcome === StartOutcome.STARTED)).toHaveLength(1)
    expect(new Set(answers.map(({ intent }) => intent?.intentId)).size).toBe(1)
    expect(await intentsOf(checkoutId)).toBe(1)
  }
})

test('row 32: one key 20 times at the same moment starts one attempt', async () => {
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  const phone = uniquePhone()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => insist(() => pay.start(checkoutId, { key, phone }))),
  )
  const outcomes = answers.map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === StartOutcome.STARTED)).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === StartOutcome.REPLAYED)).toHaveLength(19)
})

test('30 checkouts that one phone pays at the same moment start five attempts', async () => {
  const crowd = await openLedger()
  const accountId = await crowd.pay.merchant()
  const made = await Promise.all(
    Array.from({ length: 30 }, () => insist(() => crowd.pay.checkout({ accountId }))),
  )
  await slowDown(crowd.database, 'intents')
  const phone = uniquePhone()
  const answers = await Promise.allSettled(
    made.map(({ checkoutId }) => insist(() => crowd.pay.start(checkoutId, { phone }))),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await crowd.close()
})

test('row 38: at the moment of expiry an attempt is either started or refused, by the clock of the database', async () => {
  const { pay: impatient } = await at.another({ checkoutLifeSeconds: 0.3 })
  const { checkoutId, expiresAt } = await impatient.checkout()
  const phone = uniquePhone()
  const answers: unknown[] = []
  await eventually('the checkout expires', async () => {
    answers.push(await impatient.start(checkoutId, { phone }).catch((error: unknown) => error))
    const { intent } = (answers.at(-1) ?? {}) as { intent?: { intentId: string } }
    if (intent !== undefined) await fail(intent.intentId)
    return (answers.at(-1) as { reason?: string }).reason === 'checkout_expired'
  })
  const { rows } = await database.pool.query<{ late: string }>(
    'SELECT count(*) AS late FROM intents WHERE checkout_id = $1 AND created_at >= $2',
    [checkoutId, expiresAt],
  )
  expect(rows).toEqual([{ late: '0' }])
})

test('row 38: refuses a call that waited for a lock until after the expiry', async () => {
  const { pay: impatient } = await at.another({ checkoutLifeSeconds: 0.3 })
  const { checkoutId, expiresAt } = await impatient.checkout()
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM checkouts WHERE id = $1 FOR UPDATE', [checkoutId])
  const answer = insist(() => impatient.start(checkoutId)).catch((error: unknown) => error)
  await eventually('its time is up', async () => {
    const { rows } = await holder.query<{ up: boolean }>('SELECT clock_timestamp() > $1 AS up', [
      expiresAt,
    ])
    return rows[0]?.up
  })
  await holder.query('COMMIT')
  holder.release()
  expect(await answer).toMatchObject({ reason: 'checkout_expired' })
})

test('accepts an amount with cents where M-Pesa takes whole shillings only', async () => {
  const { pay: wholeOnly } = await at.another({ mpesaWholeShillings: true })
  const cents = await wholeOnly.checkout({ amountMinor: 50_050n })
  expect((await wholeOnly.start(cents.checkoutId)).outcome).toBe(StartOutcome.STARTED)
})

test('accepts an amount with cents where the rail takes cents', async () => {
  const { checkoutId } = await pay.checkout({ amountMinor: 50_050n })
  expect((await pay.start(checkoutId)).outcome).toBe(StartOutcome.STARTED)
})

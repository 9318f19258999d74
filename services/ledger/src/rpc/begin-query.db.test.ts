import {
  ProviderMessageKind,
  type Query,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, declined, type Pending, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'

let at: TestLedger
let pay: TestLedger['pay']

beforeAll(async () => {
  at = await openLedger()
  pay = at.pay
})

afterAll(() => at.close())

const ask = async (intentId: string) => (await at.ledger.beginQuery({ intentId })).query

async function pending() {
  return pay.pending((await pay.checkout()).checkoutId)
}

test('asks for the first time 75 seconds after the prompt went out', async () => {
  const { intentId, providerRequestId } = await pending()
  await letPass(at.database, 73)
  expect(await ask(intentId)).toBeUndefined()
  await letPass(at.database, 2)
  expect(await ask(intentId)).toEqual({
    intentId,
    rail: Rail.MPESA,
    amount: { currency: 'KES', minor: 50_000n },
    attemptReference: expect.stringMatching(/^M[0-9A-Z]{11}$/) as string,
    providerRequestId,
    submittedAt: expect.any(Date) as Date,
    receiptWanted: false,
  } satisfies Query)
})

test('then asks every 15 seconds, and lets one of 20 callers ask', async () => {
  const { intentId } = await pending()
  await letPass(at.database, 75)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(intentId)))
  expect(answers.filter((query) => query !== undefined)).toHaveLength(1)
  await letPass(at.database, 13)
  expect(await ask(intentId)).toBeUndefined()
  await letPass(at.database, 2)
  expect(await ask(intentId)).toBeDefined()
})

test('row 6: asks without the id of the prompt when the answer was lost', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await at.ledger.beginSubmit({ intentId })
  await letPass(at.database, 75)
  const query = present(await ask(intentId))
  expect(query.providerRequestId).toBeUndefined()
  expect(query.attemptReference).toMatch(/^M/)
})

/** Its money is there after all: no report of payment is left open. */
async function inStatement(attempt: Pending, receipt = uniqueReceipt()) {
  const messageId = await pay.fetched(attempt.intentId, ProviderMessageKind.STATEMENT_ROW)
  const { amountMinor } = attempt
  await at.ledger.applyEvidence({ messageId, fact: confirmed({ receipt, amountMinor }) })
}

test('goes on asking about an expired attempt, ever more seldom, for 72 hours', async () => {
  const { intentId } = await pending()
  await letPass(at.database, 151)
  await eventually(
    'it expires',
    async () => (await pay.status(intentId)) === 'INTENT_STATUS_EXPIRED',
  )
  const hours: number[] = []
  for (let minutes = 0; minutes < 74 * 60; minutes += 15) {
    await letPass(at.database, 900)
    if ((await ask(intentId)) !== undefined) hours.push(minutes / 60)
  }
  // A quarter of its age each time, then once an hour.
  expect(hours.length).toBeGreaterThan(60)
  expect(hours.filter((hour) => hour < 1).length).toBeGreaterThanOrEqual(3)
  expect(hours.length).toBeLessThan(100)
  expect(hours.at(-1)).toBeLessThanOrEqual(72)
})

test('asks no more once the attempt has failed', async () => {
  const attempt = await pending()
  await pay.declined(attempt)
  await letPass(at.database, 75)
  expect(await ask(attempt.intentId)).toBeUndefined()
})

test('row 17: asks for the receipt at once when the provider says "paid" without one, and then every 15 seconds', async () => {
  const attempt = await pending()
  await letPass(at.database, 75)
  await ask(attempt.intentId)
  const { intentId, providerRequestId } = attempt
  const receivePaidAnswer = async () => {
    const messageId = await pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
    await at.ledger.applyEvidence({ messageId, fact: confirmed({ providerRequestId }) })
  }
  await receivePaidAnswer()
  expect(await ask(intentId)).toMatchObject({ receiptWanted: true })
  await receivePaidAnswer()
  expect(await ask(intentId)).toBeUndefined()
  await letPass(at.database, 15)
  expect(await ask(intentId)).toMatchObject({ receiptWanted: true })
  await inStatement(attempt)
})

test('row 10: asks at once when a callback comes from elsewhere, but never more often than every 15 seconds', async () => {
  const attempt = await pending()
  const receipt = uniqueReceipt()
  await letPass(at.database, 5)
  await pay.paid(attempt, { sourceKnown: false, receipt })
  expect(await ask(attempt.intentId)).toBeDefined()
  await pay.paid(attempt, { sourceKnown: false, receipt })
  expect(await ask(attempt.intentId)).toBeUndefined()
  await letPass(at.database, 15)
  expect(await ask(attempt.intentId)).toBeDefined()
  await inStatement(attempt, receipt)
})

test('asks about a failed intent that is reported as paid, as about an expired one', async () => {
  const attempt = await pending()
  const receipt = uniqueReceipt()
  await pay.declined(attempt)
  await pay.paid(attempt, { sourceKnown: false, receipt })
  expect(await ask(attempt.intentId)).toBeDefined()
  await letPass(at.database, 3_600)
  expect(await ask(attempt.intentId)).toBeDefined()
  await inStatement(attempt, receipt)
  expect(await pay.status(attempt.intentId)).toBe('INTENT_STATUS_COMPLETED')
})

test('stops watching an expired attempt when the provider denies it for good', async () => {
  const attempt = await pending()
  await letPass(at.database, 151)
  await eventually(
    'it expires',
    async () => (await pay.status(attempt.intentId)) === 'INTENT_STATUS_EXPIRED',
  )
  const messageId = await pay.callback(attempt.callbackToken)
  await at.ledger.applyEvidence({ messageId, fact: declined(attempt.providerRequestId) })
  await letPass(at.database, 3_600)
  expect(await ask(attempt.intentId)).toBeUndefined()
  expect(await pay.status(attempt.intentId)).toBe('INTENT_STATUS_EXPIRED')
})

test('has nothing to ask about an attempt that was never sent, or that there is not', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  expect(await ask(intentId)).toBeUndefined()
  expect(await ask(`pi_${'0'.repeat(24)}`)).toBeUndefined()
})

import {
  type ApplyEvidenceRequest,
  ProviderMessageKind,
  type Query,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import {
  confirmed,
  declined,
  fingerprint,
  type Pending,
  present,
  unique,
  uniquePhone,
  uniqueReceipt,
} from '../payments.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

const ask = async (intentId: string) => (await at.ledger.beginQuery({ intentId })).query

async function pending() {
  return pay.pending((await pay.checkout()).checkoutId)
}

test('hands out the first status query 75 seconds after the prompt was sent', async () => {
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
    requestIdFromCallback: false,
    submittedAt: expect.any(Date) as Date,
    receiptWanted: false,
    receiptReported: false,
  } satisfies Query)
})

test('hands out the next query 15 seconds after the one before, and each to one of 20 callers', async () => {
  const { intentId } = await pending()
  await letPass(at.database, 75)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(intentId)))
  expect(answers.filter((query) => query !== undefined)).toHaveLength(1)
  await letPass(at.database, 13)
  expect(await ask(intentId)).toBeUndefined()
  await letPass(at.database, 2)
  expect(await ask(intentId)).toBeDefined()
})

test('row 6: hands out a query without the provider’s id when the answer to the prompt was lost', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await at.ledger.beginSubmit({ intentId })
  await letPass(at.database, 75)
  const query = present(await ask(intentId))
  expect(query.providerRequestId).toBeUndefined()
  expect(query.attemptReference).toMatch(/^M/)
})

/** Settles the attempt by a statement row, so that no report of payment is left open. */
async function inStatement(attempt: Pending, receipt = uniqueReceipt()) {
  const messageId = await pay.fetched(attempt.intentId, ProviderMessageKind.STATEMENT_ROW)
  const { amountMinor } = attempt
  await at.ledger.applyEvidence({ messageId, fact: confirmed({ receipt, amountMinor }) })
}

test('queries an expired attempt at growing intervals for 72 hours', async () => {
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
  // The wait is a quarter of the attempt's age, and at most an hour.
  expect(hours.length).toBeGreaterThan(60)
  expect(hours.filter((hour) => hour < 1).length).toBeGreaterThanOrEqual(3)
  expect(hours.length).toBeLessThan(100)
  expect(hours.at(-1)).toBeLessThanOrEqual(72)
})

test('hands out no query once the attempt has failed', async () => {
  const attempt = await pending()
  await pay.declined(attempt)
  await letPass(at.database, 75)
  expect(await ask(attempt.intentId)).toBeUndefined()
})

test('row 17: queries for the receipt at once when the provider answers "paid" without one, and then every 15 seconds', async () => {
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

test('row 10: queries at once after a callback from an unknown address, but at most every 15 seconds', async () => {
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

test('goes on querying a failed intent that is later reported as paid while no answer comes', async () => {
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

/** An attempt over Airtel, whose callbacks come to an address that all attempts share. */
async function pendingAtAirtel() {
  const { ledger } = await at.another({ rails: ['mpesa', 'airtel_money'] })
  const { checkoutId } = await pay.checkout()
  const { intent } = await ledger.startIntent({
    ...{ checkoutId, idempotencyKey: unique('key-'), fingerprint },
    ...{ rail: Rail.AIRTEL_MONEY, phone: uniquePhone() },
  })
  return pay.prompted(intent)
}

async function receiveOfAirtel(
  intentId: string,
  kind: ProviderMessageKind,
  fact: ApplyEvidenceRequest['fact'],
) {
  const { messageId } = await at.ledger.storeProviderMessage({
    ...{ rail: Rail.AIRTEL_MONEY, kind, subject: { $case: 'intentId', value: intentId } },
    ...{ body: Buffer.from(unique('{}')), sourceAddress: '198.18.0.7', sourceKnown: false },
  })
  return at.ledger.applyEvidence({ messageId, fact })
}

test('queries an intent that two answers failed and an unsigned callback calls paid, until one more answer denies it', async () => {
  const { intentId } = await pendingAtAirtel()
  const { CALLBACK, QUERY_ANSWER } = ProviderMessageKind
  await letPass(at.database, 181)
  expect(await ask(intentId)).toBeDefined()
  // Two agreeing answers fail the intent. After a "declined" hint one answer would be enough, at any age of the prompt.
  await receiveOfAirtel(intentId, QUERY_ANSWER, declined(undefined))
  await letPass(at.database, 15)
  await receiveOfAirtel(intentId, QUERY_ANSWER, declined(undefined))
  expect(await pay.status(intentId)).toBe('INTENT_STATUS_FAILED')
  await receiveOfAirtel(intentId, CALLBACK, confirmed({ receipt: uniqueReceipt() }))
  // The callback is not signed and may be made up, so the intent is queried only at the slow pace of a watch.
  expect(await ask(intentId)).toBeUndefined()
  for (const seconds of [180, 120]) {
    await letPass(at.database, seconds)
    expect(await ask(intentId)).toBeDefined()
  }
  await receiveOfAirtel(intentId, QUERY_ANSWER, declined(undefined, 'another code'))
  await letPass(at.database, 3_600)
  expect(await ask(intentId)).toBeUndefined()
})

test('stops querying an expired attempt after a "declined" callback', async () => {
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

test('hands out no query for an attempt that was never sent or is unknown', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  expect(await ask(intentId)).toBeUndefined()
  expect(await ask(`pi_${'0'.repeat(24)}`)).toBeUndefined()
})

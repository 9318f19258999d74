import {
  type ApplyEvidenceRequest,
  FailureCause,
  IntentStatus,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, fingerprint, present, unique, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'

// A "not found" is no refusal, and an intent that was reported as paid must never be failed silently.

let at: TestLedger
beforeAll(async () => {
  const rails = ['mtn_momo', 'airtel_money'] as const
  at = await openLedger({ country: countries.ug, rails, reconcileEverySeconds: 0.1 })
})
afterAll(() => at.close())

type Fact = ApplyEvidenceRequest['fact']
const amountMinor = 500_000n
const paid = () => confirmed({ receipt: unique('').slice(0, 10), amountMinor })
const notFound: Fact = { $case: 'notFound', value: { providerCode: 'RESOURCE_NOT_FOUND' } }
const failed = (providerCode = 'APPROVAL_REJECTED'): Fact => {
  return { $case: 'declined', value: { cause: FailureCause.CANCELLED, providerCode } }
}

async function submitted(rail: Rail = Rail.MTN_MOMO, phone = uniquePhone()) {
  const { checkoutId } = await at.pay.checkout({ amountMinor })
  const { intent } = await start(checkoutId, rail, phone)
  const { intentId } = present(intent)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  return { intentId, checkoutId, token: present(prompt).callbackToken }
}

const start = (checkoutId: string, rail: Rail = Rail.MTN_MOMO, phone = uniquePhone()) =>
  at.ledger.startIntent({
    ...{ checkoutId, idempotencyKey: unique('key-'), fingerprint },
    ...{ rail, phone },
  })

async function accepted(rail?: Rail) {
  const attempt = await submitted(rail)
  const outcome = { $case: 'accepted', value: { providerRequestId: unique('ref-') } } as const
  await at.ledger.recordSubmit({ intentId: attempt.intentId, outcome })
  return attempt
}

const apply = async (messageId: string, fact: Fact, signed?: boolean) =>
  (await at.ledger.applyEvidence({ messageId, fact, signed })).result

/** Applies a callback that came to the address of an intent, and returns the result. */
const callBack = async (token: string, fact: Fact) =>
  apply(await at.pay.callback(token, { body: Buffer.from(unique('')) }), fact)

/** Applies an answer to our status query, and returns the result. */
async function answer(intentId: string, fact: Fact, rail: Rail = Rail.MTN_MOMO) {
  const { messageId } = await at.ledger.storeProviderMessage({
    ...{ rail, kind: ProviderMessageKind.QUERY_ANSWER, body: Buffer.from('{}') },
    ...{ subject: { $case: 'intentId', value: intentId }, sourceAddress: '', sourceKnown: true },
  })
  return apply(messageId, fact)
}

const status = (intentId: string) => at.pay.status(intentId)
const whenExpired = (intentId: string) =>
  eventually('it expires', async () => (await status(intentId)) === IntentStatus.EXPIRED)
const attemptOf = async (checkoutId: string) =>
  present((await at.ledger.readCheckout({ checkoutId })).checkout)

/** Answers "not found" for three days, whenever the provider may be asked. Returns how often it was asked. */
async function neverFound(intentId: string): Promise<number> {
  let requestCount = 0
  for (let passed = 0; passed < 74 * 3_600; passed += 1_800) {
    await letPass(at.database, 1_800)
    const { query } = await at.ledger.beginQuery({ intentId })
    if (query === undefined) continue
    requestCount += 1
    expect(await answer(intentId, notFound)).toBe('EVIDENCE_RESULT_KEPT')
    expect(await status(intentId)).not.toBe(IntentStatus.FAILED)
  }
  return requestCount
}

test.each([
  ['that the provider accepted', accepted],
  ['whose answer was lost', submitted],
])('"not found" never ends an intent %s: it is queried for 72 hours', async (_, begin) => {
  const { intentId } = await begin()
  for (const seconds of [61, 62]) {
    await letPass(at.database, seconds)
    expect(await answer(intentId, notFound)).toBe('EVIDENCE_RESULT_KEPT')
  }
  expect([IntentStatus.PENDING, IntentStatus.SUBMITTED]).toContain(await status(intentId))
  expect(await neverFound(intentId)).toBeGreaterThan(50)
  await whenExpired(intentId)
  expect((await at.ledger.beginQuery({ intentId })).query).toBeUndefined()
})

test('"not found" after one "declined" makes the count of "declined" start anew', async () => {
  const { intentId } = await accepted()
  await letPass(at.database, 61)
  await answer(intentId, failed())
  await letPass(at.database, 16)
  await answer(intentId, notFound)
  await letPass(at.database, 16)
  expect(await answer(intentId, failed())).toBe('EVIDENCE_RESULT_KEPT')
})

test('an intent that is reported as paid stays pending past its deadline, expires after the hold, and can still complete', async () => {
  const { intentId, checkoutId, token } = await accepted()
  const fact = paid()
  await callBack(token, fact)
  await letPass(at.database, 590)
  await answer(intentId, notFound)
  expect(await status(intentId)).toBe(IntentStatus.PENDING)
  expect(await start(checkoutId)).toMatchObject({
    ...{ outcome: 'START_OUTCOME_IN_PROGRESS', intent: { intentId } },
  })
  expect((await attemptOf(checkoutId)).attempt?.reportedAt).toBeInstanceOf(Date)

  await letPass(at.database, 11)
  await whenExpired(intentId)
  expect((await attemptOf(checkoutId)).mayHavePaid).toBe(true)
  await letPass(at.database, 3_600)
  expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
  expect(await answer(intentId, fact)).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await attemptOf(checkoutId)).toMatchObject({ status: 'CHECKOUT_STATUS_COMPLETED' })
  expect((await attemptOf(checkoutId)).attempt?.reportedAt).toBeUndefined()
})

test('the hold lasts as long as the setting `reportHoldSeconds`', async () => {
  const short = await at.another({
    ...{ country: countries.ug, rails: ['mtn_momo'], reportHoldSeconds: 400 },
  })
  const { intentId, token } = await accepted()
  const messageId = await at.pay.callback(token, { body: Buffer.from(unique('')) })
  const fact = paid()
  await short.ledger.applyEvidence({ messageId, fact })
  await letPass(at.database, 390)
  expect(await status(intentId)).toBe(IntentStatus.PENDING)
  await letPass(at.database, 11)
  await whenExpired(intentId)
  await answer(intentId, fact)
})

test('the next prompt to a phone is sent once the prompt before it was reported as paid', async () => {
  const phone = uniquePhone()
  const reported = await submitted(Rail.MTN_MOMO, phone)
  const { checkoutId } = await at.pay.checkout({ amountMinor })
  const { intentId } = present((await start(checkoutId, Rail.MTN_MOMO, phone)).intent)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  const fact = paid()
  await callBack(reported.token, fact)
  await letPass(at.database, 1)
  expect((await at.ledger.beginSubmit({ intentId })).prompt).toMatchObject({ intentId })
  await answer(reported.intentId, fact)
})

test('a second report of payment does not extend the hold', async () => {
  const { intentId, token } = await accepted()
  const fact = paid()
  await callBack(token, fact)
  await letPass(at.database, 500)
  await callBack(token, fact)
  await letPass(at.database, 101)
  await whenExpired(intentId)
  await answer(intentId, fact)
})

test('"declined" answers after a report of payment are contradictions, and the intent expires instead of failing', async () => {
  const { intentId, token } = await accepted()
  const fact = paid()
  await callBack(token, fact)
  const counted = await evidence(at).counted('contradiction')
  await letPass(at.database, 300)
  expect(await answer(intentId, failed())).toBe('EVIDENCE_RESULT_CONTRADICTION')
  await letPass(at.database, 20)
  expect(await answer(intentId, failed())).toBe('EVIDENCE_RESULT_CONTRADICTION')
  expect(await evidence(at).counted('contradiction')).toBe(counted + 2)
  await letPass(at.database, 290)
  await whenExpired(intentId)
  expect(await answer(intentId, failed())).toBe('EVIDENCE_RESULT_CONTRADICTION')
  expect(await answer(intentId, fact)).toBe('EVIDENCE_RESULT_SETTLED')
})

test('a report of payment about a failed intent makes it queried again', async () => {
  const { intentId, checkoutId, token } = await accepted()
  await callBack(token, failed())
  expect(await answer(intentId, failed())).toBe('EVIDENCE_RESULT_FAILED')
  expect((await at.ledger.beginQuery({ intentId })).query).toBeUndefined()
  const fact = paid()
  await callBack(token, fact)
  expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
  await answer(intentId, notFound)
  await letPass(at.database, 3_600)
  expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
  expect((await attemptOf(checkoutId)).attempt).toMatchObject({
    ...{ status: IntentStatus.FAILED, reportedAt: expect.any(Date) as Date },
  })
  expect((await attemptOf(checkoutId)).mayHavePaid).toBe(true)
  expect(await toldMerchant(checkoutId)).toEqual(expect.any(Date))
  expect(await answer(intentId, fact)).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await toldMerchant(checkoutId)).toBeUndefined()
})

test('the merchant still sees a report of payment after a later attempt has failed', async () => {
  const { intentId, checkoutId, token } = await accepted()
  await callBack(token, failed())
  await answer(intentId, failed())
  const fact = paid()
  await callBack(token, fact)
  const later = present((await start(checkoutId)).intent).intentId
  await at.ledger.beginSubmit({ intentId: later })
  const value = { cause: FailureCause.CANCELLED, providerCode: '' }
  await at.ledger.recordSubmit({ intentId: later, outcome: { $case: 'refused', value } })
  expect(await status(later)).toBe(IntentStatus.FAILED)
  expect(await toldMerchant(checkoutId)).toEqual(expect.any(Date))
  await answer(intentId, fact)
})

/** When the payment was reported, as the merchant reads it in the hub. */
async function toldMerchant(checkoutId: string): Promise<Date | undefined> {
  const sql = 'SELECT account_id FROM checkouts WHERE id = $1'
  const { rows } = await at.database.pool.query<{ account_id: string }>(sql, [checkoutId])
  const accountId = present(rows[0]).account_id
  return (await at.ledger.readTimeline({ accountId, checkoutId })).checkout?.reportedAt
}

describe('at the callback address that all payments of Airtel share', () => {
  async function notify(intentId: string, fact: Fact, signed?: boolean) {
    const { messageId } = await at.ledger.storeProviderMessage({
      ...{ rail: Rail.AIRTEL_MONEY, kind: ProviderMessageKind.CALLBACK },
      ...{ subject: { $case: 'intentId', value: intentId }, body: Buffer.from(unique('')) },
      ...{ sourceAddress: '198.18.0.7', sourceKnown: false },
    })
    return apply(messageId, fact, signed)
  }

  test('a signed report holds its intent open', async () => {
    const { intentId } = await accepted(Rail.AIRTEL_MONEY)
    const fact = confirmed({ receipt: unique('MP').slice(0, 12) })
    await notify(intentId, fact, true)
    await letPass(at.database, 590)
    expect(await status(intentId)).toBe(IntentStatus.PENDING)
    await answer(intentId, fact, Rail.AIRTEL_MONEY)
  })

  test('an unsigned report, which may be forged, makes a status query due and does not hold the intent', async () => {
    const { intentId } = await accepted(Rail.AIRTEL_MONEY)
    await notify(intentId, confirmed({ receipt: unique('MP').slice(0, 12) }))
    expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
    await letPass(at.database, 400)
    await whenExpired(intentId)
    expect(await unposted()).toEqual([])
  })
})

/** The intents whose reports of payment the audit finds. */
async function unposted(): Promise<readonly string[]> {
  const { findings } = await at.ledger.audit({ sinceSeconds: undefined })
  return findings.find(({ number }) => number === 9)?.examples ?? []
}

test('a report without its receipt in the journal for ten minutes is an audit finding, a difference and an alarm', async () => {
  const { intentId, token } = await accepted()
  const fact = paid()
  await callBack(token, fact)
  const counted = await evidence(at).counted('payment_report_unposted')
  await letPass(at.database, 590)
  expect(await unposted()).toEqual([])

  await letPass(at.database, 11)
  expect(await unposted()).toEqual([intentId])
  await eventually(
    'it is counted, once',
    async () => (await evidence(at).counted('payment_report_unposted')) === counted + 1,
  )
  const { rows } = await at.database.pool.query<{ day: string }>(
    `SELECT (reported_at AT TIME ZONE 'Africa/Nairobi')::date::text AS day FROM payment_reports`,
  )
  const day = present(rows[0]).day
  const ofMtn = async () =>
    (await at.ledger.reconcileDay({ day })).reports.find(({ provider }) => provider === 'mtn_momo')
  const receipt = fact?.$case === 'confirmed' ? fact.value.receipt : undefined
  expect(await ofMtn()).toMatchObject({ differenceMinor: amountMinor, differing: [receipt] })

  await answer(intentId, fact)
  expect(await unposted()).toEqual([])
  expect(await ofMtn()).toMatchObject({ differenceMinor: 0n })
  await eventually('it is off the list', async () => {
    const left = await at.database.pool.query('SELECT FROM payment_reports')
    return left.rowCount === 0
  })
  expect(await evidence(at).counted('payment_report_unposted')).toBe(counted + 1)
})

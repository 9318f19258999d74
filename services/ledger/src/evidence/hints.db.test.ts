import {
  type ApplyEvidenceRequest,
  FailureCause,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { confirmed, fingerprint, payments, present, unique, uniquePhone } from '../payments.harness'
import { type RunningLedger, startLedger } from '../start.harness'
import { letPass } from '../time.harness'

// Two providers publish no addresses of their callbacks and need not sign them: MTN, which uses our id of the prompt, and
// Airtel, which calls back to one address for all payments and never names an amount.

let database: TestDatabase
let ledger: RunningLedger
let pay: ReturnType<typeof payments>
beforeAll(async () => {
  database = await cloneDatabase('ledger')
  ledger = await startLedger(database, {
    country: countries.ug,
    rails: ['mtn_momo', 'airtel_money'],
  })
  pay = payments(ledger)
})
afterAll(async () => {
  await ledger.stop()
  await database.drop()
})

type Fact = ApplyEvidenceRequest['fact']
const amountMinor = 500_000n
const receipt = () => unique('').slice(0, 10)
const failed = (providerCode: string): Fact => ({
  $case: 'declined',
  value: { cause: FailureCause.CANCELLED, providerCode },
})

/** An attempt whose prompt was handed to a worker. The provider's answer to it is not recorded yet. */
async function submitted(rail: Rail) {
  const { checkoutId } = await pay.checkout({ amountMinor })
  const { intent } = await ledger.startIntent({
    checkoutId,
    idempotencyKey: unique('key-'),
    fingerprint,
    rail,
    phone: uniquePhone(),
  })
  const { intentId } = present(intent)
  const { prompt } = await ledger.beginSubmit({ intentId })
  return { intentId, checkoutId, token: present(prompt).callbackToken }
}

async function accepted(rail: Rail) {
  const attempt = await submitted(rail)
  await ledger.recordSubmit({
    intentId: attempt.intentId,
    outcome: { $case: 'accepted', value: { providerRequestId: unique('ref-') } },
  })
  return attempt
}

async function callBack(token: string, fact: Fact) {
  return apply(await pay.callback(token, { sourceKnown: true }), fact)
}

async function answer(intentId: string, fact: Fact, rail: Rail = Rail.MTN_MOMO) {
  const { messageId } = await ledger.storeProviderMessage({
    rail,
    kind: ProviderMessageKind.QUERY_ANSWER,
    subject: { $case: 'intentId', value: intentId },
    body: Buffer.from('{}'),
    sourceAddress: '',
    sourceKnown: true,
  })
  return apply(messageId, fact)
}

const apply = async (messageId: string, fact: Fact, signed = false) =>
  (await ledger.applyEvidence({ messageId, fact, signed })).result

const status = (intentId: string) => pay.status(intentId)
const isDue = async (intentId: string) => (await ledger.beginQuery({ intentId })).query

test.each([
  ['has come', accepted],
  ['was lost', submitted],
])(
  'a "paid" callback makes a query due and posts nothing, when the answer with the prompt’s id %s',
  async (_, begin) => {
    const { intentId, token } = await begin(Rail.MTN_MOMO)
    const fact = confirmed({ receipt: receipt(), amountMinor })
    expect(await callBack(token, fact)).toBe('EVIDENCE_RESULT_KEPT')
    expect(await status(intentId)).not.toBe('INTENT_STATUS_COMPLETED')
    expect(await isDue(intentId)).toMatchObject({ rail: 'RAIL_MTN_MOMO' })
  },
)

test('an attempt whose submit answer was lost is queried without an id of the provider', async () => {
  const { intentId } = await submitted(Rail.MTN_MOMO)
  await ledger.recordSubmit({
    intentId,
    outcome: { $case: 'unknown', value: { detail: 'TimeoutError' } },
  })
  await letPass(database, 76)
  expect(await isDue(intentId)).toMatchObject({ intentId, providerRequestId: undefined })
})

test('the answer to the status query settles the payment that the callback reported', async () => {
  const { intentId, token } = await accepted(Rail.MTN_MOMO)
  const paid = confirmed({ receipt: receipt(), amountMinor })
  await callBack(token, paid)
  expect(await answer(intentId, paid)).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await status(intentId)).toBe('INTENT_STATUS_COMPLETED')
})

test('a "declined" callback that a status query confirms fails the attempt at once', async () => {
  const { intentId, token } = await accepted(Rail.MTN_MOMO)
  expect(await callBack(token, failed('APPROVAL_REJECTED'))).toBe('EVIDENCE_RESULT_KEPT')
  expect(await answer(intentId, failed('APPROVAL_REJECTED'))).toBe('EVIDENCE_RESULT_FAILED')
  expect(await status(intentId)).toBe('INTENT_STATUS_FAILED')
})

test('a "declined" status answer without a callback needs a second one', async () => {
  const { intentId } = await accepted(Rail.MTN_MOMO)
  expect(await answer(intentId, failed('EXPIRED'))).toBe('EVIDENCE_RESULT_KEPT')
  await letPass(database, 61)
  expect(await answer(intentId, failed('EXPIRED'))).toBe('EVIDENCE_RESULT_KEPT')
  await letPass(database, 16)
  expect(await answer(intentId, failed('EXPIRED'))).toBe('EVIDENCE_RESULT_FAILED')
})

test('a "declined" callback that no status query confirms does not fail the attempt', async () => {
  const { intentId, token } = await accepted(Rail.MTN_MOMO)
  await callBack(token, failed('APPROVAL_REJECTED'))
  expect(await status(intentId)).toBe('INTENT_STATUS_PENDING')
})

describe('Airtel', () => {
  const notify = (intentId: string, rail: Rail) =>
    ledger.storeProviderMessage({
      rail,
      kind: ProviderMessageKind.CALLBACK,
      subject: { $case: 'intentId', value: intentId },
      body: Buffer.from(unique('')),
      sourceAddress: '198.18.0.7',
      sourceKnown: false,
    })

  test('has a callback stored at its shared address, and a signed one makes a status query due', async () => {
    const { intentId } = await accepted(Rail.AIRTEL_MONEY)
    const { messageId } = await notify(intentId, Rail.AIRTEL_MONEY)
    const stored = await ledger.readProviderMessage({ messageId })
    expect(stored).toMatchObject({ intentId, kind: 'PROVIDER_MESSAGE_KIND_CALLBACK' })
    const paid = confirmed({ receipt: receipt() })
    expect(await apply(messageId, paid, true)).toBe('EVIDENCE_RESULT_KEPT')
    expect(await isDue(intentId)).toMatchObject({ rail: 'RAIL_AIRTEL_MONEY' })
  })

  test('is queried only once before its usual time, however many unsigned callbacks come', async () => {
    const { intentId } = await accepted(Rail.AIRTEL_MONEY)
    const forge = async () => {
      for (let forged = 0; forged < 5; forged += 1) {
        const { messageId } = await notify(intentId, Rail.AIRTEL_MONEY)
        await apply(messageId, confirmed({ receipt: receipt() }))
      }
    }
    expect(await isDue(intentId)).toBeUndefined()
    await forge()
    expect(await isDue(intentId)).toBeDefined()
    await forge()
    expect(await isDue(intentId)).toBeUndefined()
    await letPass(database, 178)
    expect(await isDue(intentId)).toBeUndefined()
    await letPass(database, 2)
    expect(await isDue(intentId)).toBeDefined()
    await forge()
    expect(await isDue(intentId)).toBeUndefined()
  })

  test.each([
    ['a signed "declined" callback is confirmed by one status answer', true, 1, Rail.UNSPECIFIED],
    [
      'an unsigned "declined" callback counts for nothing, and two status answers are needed',
      false,
      2,
      Rail.AIRTEL_MONEY,
    ],
  ])('%s', async (_, isSigned, answers, deniedRail) => {
    const { intentId, checkoutId } = await accepted(Rail.AIRTEL_MONEY)
    const { messageId } = await notify(intentId, Rail.AIRTEL_MONEY)
    await apply(messageId, failed('TF'), isSigned)
    await letPass(database, 61)
    for (const place of Array(answers).keys()) {
      const result = await answer(intentId, failed('TF'), Rail.AIRTEL_MONEY)
      expect(result).toBe(place + 1 < answers ? 'EVIDENCE_RESULT_KEPT' : 'EVIDENCE_RESULT_FAILED')
      await letPass(database, 16)
    }
    const { checkout } = await ledger.readCheckout({ checkoutId })
    expect(present(checkout)).toMatchObject({ deniedRail, failedAttempts: 1 })
  })

  test('reports a payment by an unsigned callback at the address of the attempt, and not at the shared address', async () => {
    const { intentId, token } = await accepted(Rail.AIRTEL_MONEY)
    const reports = async () =>
      (await database.pool.query('SELECT FROM payment_reports WHERE intent_id = $1', [intentId]))
        .rowCount
    const paid = confirmed({ receipt: receipt() })
    await apply((await notify(intentId, Rail.AIRTEL_MONEY)).messageId, paid)
    expect(await reports()).toBe(0)
    await callBack(token, paid)
    expect(await reports()).toBe(1)
  })

  test('an answer of Airtel, which names no amount, settles the amount that the payer was asked for', async () => {
    const { intentId, checkoutId } = await accepted(Rail.AIRTEL_MONEY)
    const paid = confirmed({ receipt: receipt() })
    expect(await answer(intentId, paid, Rail.AIRTEL_MONEY)).toBe('EVIDENCE_RESULT_SETTLED')
    const { intent } = await ledger.readIntent({ intentId })
    expect(present(intent).amountSettledMinor).toBe(amountMinor)
    const { checkout } = await ledger.readCheckout({ checkoutId })
    expect(present(checkout).status).toBe('CHECKOUT_STATUS_COMPLETED')
  })

  test('has at most twenty callbacks of an attempt stored at its shared address, and more at the address of the attempt', async () => {
    const { intentId, token } = await accepted(Rail.AIRTEL_MONEY)
    for (let stored = 0; stored < 20; stored += 1) await notify(intentId, Rail.AIRTEL_MONEY)
    await expect(notify(intentId, Rail.AIRTEL_MONEY)).rejects.toMatchObject({
      reason: 'route_not_found',
    })
    expect(await pay.callback(token, { sourceKnown: false })).toMatch(/^pm_/)
  })

  test('has a callback refused at its shared address for an intent of another provider', async () => {
    const { intentId } = await accepted(Rail.MTN_MOMO)
    await expect(notify(intentId, Rail.AIRTEL_MONEY)).rejects.toMatchObject({
      reason: 'route_not_found',
    })
  })
})

test('a callback of M-PESA that names its intent without the token of the attempt is refused', async () => {
  const other = await cloneDatabase('ledger')
  const kenya = await startLedger(other)
  const { checkoutId } = await payments(kenya).checkout()
  const { intentId } = await payments(kenya).pending(checkoutId)
  const stored = kenya.storeProviderMessage({
    rail: Rail.MPESA,
    kind: ProviderMessageKind.CALLBACK,
    subject: { $case: 'intentId', value: intentId },
    body: Buffer.from('{}'),
    sourceAddress: '196.201.214.200',
    sourceKnown: true,
  })
  await expect(stored).rejects.toMatchObject({ reason: 'route_not_found' })
  await kenya.stop()
  await other.drop()
})

import { eventually } from '@malipo/testing/eventually'
import type { Started } from '@malipo/runtime/process'
import type { Attempt } from '../gateway.harness'
import { logged, openSurroundings, type Surroundings } from '../start.harness'

/** Card payments between a real ledger and an independent card gateway, whose notifications are all lost here. */

let around: Surroundings
let worker: Started | undefined

beforeAll(async () => {
  around = await openSurroundings()
})
beforeEach(async () => {
  await around.control('POST', '/reset', {})
})
afterEach(() => worker?.stop())
afterAll(() => around.stop())

const payer = { name: 'Amina W Kamau', email: 'amina@example.com', phone: '254708374149' }

const opened = (attempt: Attempt) => eventually('the page is open', () => around.sessionOf(attempt))

const endsAs = (attempt: Attempt, status: string) =>
  eventually(`the attempt is ${status}`, async () => {
    const found = await around.attempt(attempt.checkoutId)
    return found?.status === status ? found : undefined
  })

const type = (sessionId: string, form: Record<string, string>) =>
  fetch(`${around.simulatorUrl}/checkout/pay/${sessionId}`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({ csc: '100', name: 'AMINA W KAMAU', ...form }),
  })
const card = { number: '5111111111111118', month: '01', year: '39' }

async function orderOf({ intentId }: Attempt): Promise<{ amount: number; customer?: object }> {
  const authorization = `Basic ${Buffer.from('merchant.TESTMALIPO:password').toString('base64')}`
  const path = `/api/rest/version/100/merchant/TESTMALIPO/order/${intentId}`
  const answer = await fetch(around.simulatorUrl + path, { headers: { authorization } })
  return (await answer.json()) as { amount: number; customer?: object }
}

test('row 96: completes a paid card payment by a query when the notification is lost, to the whole shilling', async () => {
  worker = await around.startWorker()
  const attempt = await around.payByCard(payer)
  await type(await opened(attempt), card)
  await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
  expect(await orderOf(attempt)).toMatchObject({
    amount: 518,
    customer: {
      ...{ firstName: 'Amina W', lastName: 'Kamau', email: payer.email },
      mobilePhone: payer.phone,
    },
  })
  expect(await around.control('GET', '/book')).toMatchObject([
    { kind: 'card_payment', amount: '51800', receipt: `${attempt.intentId}-1` },
  ])
})

test('row 96: an attempt whose bank still asks the payer when the card page closes expires, and late money completes it', async () => {
  worker = await around.startWorker()
  const attempt = await around.payByCard()
  const session = await opened(attempt)
  await type(session, { ...card, number: '5123450000000008' })
  const { pool } = around.database
  await pool.query(`
    ALTER TABLE card_sessions DISABLE TRIGGER USER;
    UPDATE card_sessions SET expires_at = clock_timestamp() WHERE intent_id = '${attempt.intentId}';
    ALTER TABLE card_sessions ENABLE TRIGGER USER`)
  const answers = `SELECT FROM provider_messages m JOIN card_sessions c USING (intent_id)
    WHERE m.kind = 'query_answer' AND intent_id = $1 AND m.received_at > c.expires_at`
  const status = async () => (await around.attempt(attempt.checkoutId))?.status
  await eventually('the order was asked for three times, or the attempt has ended', async () => {
    const { rowCount } = await pool.query(answers, [attempt.intentId])
    return (rowCount ?? 0) >= 3 || (await status()) !== 'INTENT_STATUS_PENDING'
  })
  expect(await status()).toBe('INTENT_STATUS_PENDING')
  await pool.query('UPDATE intents SET deadline_at = now() WHERE id = $1', [attempt.intentId])
  expect(await endsAs(attempt, 'INTENT_STATUS_EXPIRED')).toMatchObject({
    cause: 'FAILURE_CAUSE_UNCONFIRMED',
  })
  await fetch(`${around.simulatorUrl}/checkout/3ds/${session}`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({ answer: 'yes' }),
  })
  const due = 'UPDATE intents SET query_at = now(), next_action_at = now() WHERE id = $1'
  await pool.query(due, [attempt.intentId])
  await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
})

test("keeps the payer's data out of every log and queue", async () => {
  worker = await around.startWorker()
  await opened(await around.payByCard(payer))
  expect(logged.join('\n')).not.toMatch(/amina|kamau|254708374149|SESSION0002/i)
})

test('fails the intent at once when the card gateway opens no page', async () => {
  await around.control('POST', '/rules', {
    on: 'session',
    effect: { kind: 'error', error: 'busy' },
  })
  worker = await around.startWorker()
  const attempt = await around.payByCard()
  expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
    cause: 'FAILURE_CAUSE_NOT_STARTED',
  })
})

test('fails the intent as not started where no cards are taken', async () => {
  worker = await around.startWorker({
    ...{ CARD_BASE_URL: '', CARD_API_VERSION: '', CARD_MERCHANT_ID: '' },
    ...{ CARD_API_PASSWORD: '', CARD_MERCHANT_NAME: '' },
  })
  const attempt = await around.payByCard()
  expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
    cause: 'FAILURE_CAUSE_NOT_STARTED',
  })
})

test('gives an intent up at the first query when its worker died before recording the page', async () => {
  // The card gateway never answers, and the worker stops before its call times out.
  await around.control('POST', '/rules', {
    on: 'session',
    effect: { kind: 'drop', performed: true },
  })
  const lost = await around.startWorker()
  const attempt = await around.payByCard()
  await endsAs(attempt, 'INTENT_STATUS_SUBMITTED')
  await lost.stop()
  worker = await around.startWorker()
  expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
    cause: 'FAILURE_CAUSE_NOT_STARTED',
  })
})

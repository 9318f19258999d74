import { randomBytes } from 'node:crypto'
import { cardPaymentSchema } from '@malipo/interface/card-payment'
import { successSchema } from '@malipo/interface/envelopes'
import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { ofFile } from '@malipo/testing/lazily'
import { testRedisUrl } from '@malipo/testing/redis'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import type { Reply, Sent } from '../send.harness'

let host: RunningHost
let merchant: Merchant
let worker: ReturnType<typeof openWorker>

/** Plays a worker that opens card pages at once, unless a test holds it. */
let isWorkerAway = false

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant({ cardEnabled: true })
  const queue = { redisUrl: testRedisUrl(), prefix: host.queuePrefix, name: 'submit-prompt' }
  worker = openWorker({ ...queue, log: openLog('test', 'silent'), concurrency: 8 }, async (id) => {
    if (!isWorkerAway) await host.ledger.openCardPage(id)
  })
})
afterEach(() => {
  isWorkerAway = false
})
afterAll(async () => {
  await worker.close()
  await host.stop()
})

const checkout = async (amount = 50_000, shop = merchant) =>
  (await host.checkout(shop, { amount })).id
const anyKey = () => randomBytes(8).toString('hex')

const pay = (id: string, sent: Sent & { key?: string } = {}): Promise<Reply> =>
  host.ask(`/v1/payments/public/checkouts/${id}/card`, {
    body: {},
    ...sent,
    headers: { 'idempotency-key': sent.key ?? anyKey(), ...sent.headers },
  })
/** Sends the request again once the page is open: a busy machine may take long to open one. */
const payWithPage = (id: string, key: string): Promise<Reply> =>
  eventually('the page is open', async () => {
    const reply = await pay(id, { key })
    return reply.body.data.session_id === null ? undefined : reply
  })
const refusal = ({ status, body }: Reply) => [status, body.code]

test('returns 202 with the fee, the total, the page and when it closes', async () => {
  const id = await checkout()
  const reply = await pay(id, { key: 'k-1' })
  expect(reply.status).toBe(202)
  const shape = successSchema('Card payment initiated', cardPaymentSchema)
  shape.parse(reply.body)
  const { data } = shape.parse((await payWithPage(id, 'k-1')).body)
  expect(data).toEqual({
    intent_id: expect.stringMatching(/^pi_[0-9a-f]{24}$/) as string,
    status: 'pending',
    amount: '50000',
    fee: '1800',
    total: '51800',
    session_id: 'SESSION0002',
    redirect_url: `https://pay.example/c/${id}/card/${data.intent_id}`,
    expires_at: expect.any(String) as string,
  })
  const read = await host.ask(`/v1/payments/public/checkouts/${id}`)
  expect(read.body.data.checkout).toMatchObject({
    intent_id: data.intent_id,
    card: { fee: '1800', total: '51800' },
  })
})

test('returns 202 without a body, as each of its fields is optional', async () => {
  const bare = { body: '' }
  expect((await pay(await checkout(), bare)).status).toBe(202)
  const typed = { ...bare, headers: { 'content-type': 'application/json' } }
  expect((await pay(await checkout(), typed)).status).toBe(202)
})

test('returns an empty payment.phone when the payer gave no phone', async () => {
  const id = await checkout()
  await pay(id)
  const read = await host.ask(`/v1/payments/merchant/checkouts/${id}`, {
    headers: { authorization: `Bearer ${merchant.secretKey}` },
  })
  expect(read.body.data.payment.phone).toBe('')
})

test('keeps one spelling of a phone, so that a replay may have another, and refuses a phone of zeros', async () => {
  const id = await checkout()
  const first = await pay(id, { key: 'k-1', body: { phone: '0712345678' } })
  const again = await pay(id, { key: 'k-1', body: { phone: '254712345678' } })
  expect([first.status, again.status]).toEqual([202, 200])
  const read = await host.ask(`/v1/payments/merchant/checkouts/${id}`, {
    headers: { authorization: `Bearer ${merchant.secretKey}` },
  })
  expect(read.body.data.payment.phone).toBe('254712345678')
  const zeros = await pay(await checkout(), { body: { phone: '000000000' } })
  expect(refusal(zeros)).toEqual([400, 1701])
})

test('row 96: returns 200 for the same key: with the same card session, and with the completed payment once it is paid', async () => {
  const id = await checkout()
  const first = await payWithPage(id, 'k-1')
  const again = await pay(id, { key: 'k-1' })
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  expect(again.body).toEqual(first.body)
  const { intent_id } = first.body.data
  const value = { receipt: `${String(intent_id)}-1`, amountMinor: 51_800n }
  await host.ledger.reportOrder(intent_id, { $case: 'confirmed', value })
  const later = await pay(id, { key: 'k-1' })
  expect([later.status, later.body.data.status]).toEqual([200, 'completed'])
})

test('row 96: returns 422 2787 for the same key with another name', async () => {
  const id = await checkout()
  await payWithPage(id, 'k-1')
  const changed = await pay(id, { key: 'k-1', body: { payer_name: 'Amina' } })
  expect(refusal(changed)).toEqual([422, 2787])
})

test("answers before a slow page is open: its address redirects there later, and the payer's data is stored encrypted until then", async () => {
  isWorkerAway = true
  const id = await checkout()
  const payer = { payer_name: 'Amina W Kamau', payer_email: 'amina@example.com' }
  const body = { ...payer, phone: '254708374149' }
  const reply = await pay(id, { key: 'k-1', body })
  expect([reply.status, reply.body.data.session_id]).toEqual([202, null])
  const { intent_id } = reply.body.data
  const rows = await host.rows(
    `SELECT encode(sealed_payer, 'hex') AS sealed FROM card_sessions WHERE intent_id = '${String(intent_id)}'`,
  )
  const [{ sealed = '' } = {}] = rows as { sealed?: string }[]
  const bytes = Buffer.from(sealed, 'hex').toString('latin1')
  expect(bytes.length).toBeGreaterThan(50)
  expect(bytes).not.toMatch(/amina|kamau|254708/i)
  await host.ledger.openCardPage(intent_id)
  const again = await pay(id, { key: 'k-1', body })
  expect(again.body.data.session_id).toBe('SESSION0002')
})

describe('row 96: the origin of a request', () => {
  test.each([
    'https://evil.example',
    'null',
    'https://pay.example.evil.example',
    'http://pay.example',
  ])('returns 403 2776 for %s, before any lookup', async (origin) => {
    const unknown = 'cs_ke_000000000000000000000000'
    for (const id of [unknown, await checkout()]) {
      const reply = await pay(id, { headers: { origin } })
      expect(refusal(reply)).toEqual([403, 2776])
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('accepts our own pages, and clients that are not browsers', async () => {
    const own = await pay(await checkout(), { headers: { origin: 'https://pay.example' } })
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([
      202,
      'https://pay.example',
    ])
    expect((await pay(await checkout())).status).toBe(202)
  })
})

test('row 96: returns 422 2771 for cents, and where the account takes no cards', async () => {
  const shop = await host.merchant()
  expect(refusal(await pay(await checkout(50_000, shop)))).toEqual([422, 2771])
  expect(refusal(await pay(await checkout(50_050)))).toEqual([422, 2771])
})

describe('row 96: on a host without cards', () => {
  const cardless = ofFile(() => startHost({ cardBaseUrl: undefined, cardPayerKey: undefined }))
  const path = '/v1/payments/public/checkouts'
  const answerTo = async (id: string) => {
    const headers = { 'idempotency-key': anyKey() }
    return refusal(await cardless.ask(`${path}/${id}/card`, { body: {}, headers }))
  }

  test('shows no card, and returns 404 2783, 409 2785 or 422 2771, in this order', async () => {
    const shop = await cardless.merchant({ cardEnabled: true })
    const { id } = await cardless.checkout(shop, { amount: 50_000 })
    expect((await cardless.ask(`${path}/${id}`)).body.data.checkout.card).toBeNull()
    expect(await answerTo('cs_ke_000000000000000000000000')).toEqual([404, 2783])
    expect(await answerTo(id)).toEqual([422, 2771])
    const { intentId } = await cardless.startPayment(id)
    await cardless.ledger.pay(await cardless.ledger.submit(intentId), 50_000n)
    expect(await answerTo(id)).toEqual([409, 2785])
  })
})

test('row 96: in two tabs, returns 409 2786 for a card after a phone, and 200 for a phone after a card', async () => {
  const first = await checkout()
  await host.startPayment(first)
  expect(refusal(await pay(first))).toEqual([409, 2786])

  const second = await checkout()
  const card = await pay(second)
  const phone = await host.ask(`/v1/payments/public/checkouts/${second}/pay`, {
    body: { phone: anyPhone() },
    headers: { 'idempotency-key': anyKey() },
  })
  expect([phone.status, phone.body.description, phone.body.data.rail]).toEqual([
    200,
    'Checkout already in progress',
    'card',
  ])
  expect(phone.body.data.intent_id).toBe(card.body.data.intent_id)
  expect(refusal(await pay(second))).toEqual([409, 2786])
})

test('makes one payment of a phone and a card request at the same moment', async () => {
  const id = await checkout()
  const phone = host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    body: { phone: anyPhone() },
    headers: { 'idempotency-key': anyKey() },
  })
  const statuses = (await Promise.all([phone, pay(id)])).map(({ status }) => status)
  expect([
    [202, 409],
    [200, 202],
  ]).toContainEqual(statuses)
})

test('returns 409 2785 for a paid checkout, 409 2784 for an expired one, 404 2783 for an unknown one', async () => {
  const paid = await checkout()
  const { intent_id } = (await payWithPage(paid, 'k-1')).body.data
  const value = { receipt: `${String(intent_id)}-1`, amountMinor: 51_800n }
  await host.ledger.reportOrder(intent_id, { $case: 'confirmed', value })
  expect(refusal(await pay(paid))).toEqual([409, 2785])
  const expired = await checkout()
  await host.expire(expired)
  expect(refusal(await pay(expired))).toEqual([409, 2784])
  expect(refusal(await pay('cs_ke_000000000000000000000000'))).toEqual([404, 2783])
})

test('returns 429 1804 for the twenty-first request of an address within an hour, whatever the others returned', async () => {
  const from = '198.18.77.1'
  for (let tries = 0; tries < 20; tries += 1) {
    await pay('cs_ke_000000000000000000000000', { from })
  }
  const reply = await pay(await checkout(), { from })
  expect(refusal(reply)).toEqual([429, 1804])
  expect(reply.headers['ratelimit-policy']).toBe('"card";q=20;w=3600')
  // Malformed requests and foreign origins are refused before the rate limit counts them.
  expect(refusal(await pay('cs_ke_0', { from }))).toEqual([400, 1701])
  const origin = 'https://evil.example'
  expect(refusal(await pay(await checkout(), { from, headers: { origin } }))).toEqual([403, 2776])
})

test('returns 429 1804 for the eleventh request of a checkout within an hour', async () => {
  const id = await checkout()
  for (let tries = 0; tries < 10; tries += 1) {
    const { intent_id } = (await payWithPage(id, anyKey())).body.data
    await host.ledger
      .storeProviderMessage({
        ...{ rail: 'RAIL_CARD', kind: 'PROVIDER_MESSAGE_KIND_CALLBACK', sourceAddress: '' },
        ...{ subject: { $case: 'intentId', value: intent_id }, sourceKnown: true },
        body: Buffer.from('{"result":"FAILURE"}'),
      })
      .then(async ({ messageId }) => {
        const value = { cause: 'FAILURE_CAUSE_CARD_DECLINED', providerCode: 'DECLINED' } as const
        await host.ledger.applyEvidence({ messageId, fact: { $case: 'declined', value } })
        await host.ledger.reportOrder(intent_id, { $case: 'declined', value })
      })
  }
  const reply = await pay(id)
  expect(refusal(reply)).toEqual([429, 1804])
  expect(reply.headers['retry-after']).toMatch(/^3[0-9]{3}$/)
  expect(reply.headers['ratelimit']).toBeUndefined()
})

test.each<[string, Sent, string]>([
  ['an invalid email', { body: { payer_email: 'x' } }, 'payer_email'],
  ['a card number', { body: { number: '5123450000000008' } }, 'number'],
  ['no Idempotency-Key', { headers: { 'idempotency-key': undefined } }, 'Idempotency-Key'],
  ['a form', { headers: { 'content-type': 'text/plain' } }, 'Content-Type'],
])('returns 400 1701 for %s, also from another origin', async (_, sent, path) => {
  const headers = { origin: 'https://evil.example', ...sent.headers }
  const reply = await pay(await checkout(), { ...sent, headers })
  expect(refusal(reply)).toEqual([400, 1701])
  expect(reply.body.errors).toMatchObject([{ path }])
  expect(reply.text).not.toContain('5123450000000008')
})

import { failureSchema, successSchema } from '@malipo/interface/envelopes'
import { merchantCheckoutSchema } from '@malipo/interface/merchant-checkout'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import type { Sent } from '../send.harness'

const path = '/v1/payments/merchant/checkouts'
const createdSchema = successSchema('Checkout created', merchantCheckoutSchema)

let host: RunningHost
let merchant: Merchant

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
})
afterAll(() => host.stop())

const create = (body: object | string, sent: Sent = {}, { secretKey } = merchant) =>
  host.ask(path, {
    body,
    ...sent,
    headers: { authorization: `Bearer ${secretKey}`, ...sent.headers },
  })

test('creates a checkout with an amount alone', async () => {
  const reply = await create({ amount: 150_050 })
  expect(reply.status).toBe(201)
  const { data } = createdSchema.parse(reply.body)
  expect(data).toEqual({
    id: expect.stringMatching(/^cs_ke_[0-9a-f]{24}$/),
    url: `${host.baseUrl}/c/${data.id}`,
    status: 'open',
    amount: '150050',
    currency: 'KES',
    reference: null,
    description: null,
    return_url: null,
    expires_at: expect.any(String),
    created_at: expect.any(String),
    payment: null,
  })
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(1_800_000)
})

test("stores the merchant's texts unchanged, and does not return the phone", async () => {
  const fields = {
    reference: 'Order/7 ✓',
    description: 'Two bags <b>of maize</b> 🌽',
    return_url: 'https://shop.example',
  }
  const reply = await create({ amount: 100, phone: '254712345678', ...fields })
  expect(reply.body.data).toMatchObject(fields)
  expect(reply.text).not.toContain('254712345678')
})

test('stores tabs and line breaks of the texts unchanged, and the way back to the shop has them escaped', async () => {
  const fields = { reference: '\t7\r\n8', description: 'Maize\n\tBeans\r\n' }
  const return_url = 'https://shop.example/'
  const { body } = await create({ amount: 50_000, return_url, ...fields })
  const { id } = body.data
  expect(body.data).toMatchObject(fields)
  const { intentId } = await host.startPayment(id)
  await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  const read = await host.ask(`/v1/payments/public/checkouts/${String(id)}`)
  expect(read.body.data.checkout).toMatchObject({
    description: fields.description,
    redirect_url: `${return_url}?checkout=${String(id)}&reference=%097%0D%0A8&status=completed`,
  })
  expect((await host.ask(`/c/${String(id)}`)).text).toContain(`<dd>${fields.description}</dd>`)
})

test.each([
  ['NUL', 'reference', '\u0000'],
  ['escape', 'description', '\u001b[2J'],
  ['DEL', 'description', '\u007f'],
])('returns 400 1701 for the control character %s in the %s', async (_, field, text) => {
  const reply = await create({ amount: 100, [field]: text })
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
  expect(reply.body.errors).toEqual([{ path: field, message: 'must not have control characters' }])
})

test('accepts the longest texts, in the longest JSON escaping of any client', async () => {
  const start = 'https://shop.example/'
  const fields = {
    reference: '🌽'.repeat(64),
    description: '🌽'.repeat(140),
    return_url: start + '🌽'.repeat(2_048 - start.length),
  }
  // Python and PHP escape characters that are not ASCII: the emoji takes twelve bytes.
  const escaped = JSON.stringify({ amount: 100, ...fields }).replace(
    /[\ud800-\udfff]/g,
    (half) => `\\u${half.charCodeAt(0).toString(16)}`,
  )
  const reply = await create(escaped, { headers: { 'content-type': 'application/json' } })
  expect(reply.status).toBe(201)
  expect(reply.body.data).toMatchObject(fields)
})

test('forbids storing, sniffing and reading by pages for every merchant answer', async () => {
  const { headers } = await create({ amount: 100 }, { headers: { origin: host.baseUrl } })
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(headers['x-powered-by']).toBeUndefined()
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string | string[], body: object) =>
    create(body, { headers: { 'idempotency-key': key } })

  test('returns 200 with the same checkout when repeated with the same input', async () => {
    const first = await keyed('k-1', { amount: 700, reference: 'r' })
    const second = await keyed('"k-1"', { reference: 'r', amount: 700 })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(first.headers['idempotency-replayed']).toBeUndefined()
  })

  test('returns 422 2787 when repeated with other input', async () => {
    await keyed('k-2', { amount: 700 })
    const other = await keyed('k-2', { amount: 701 })
    expect([other.status, other.body.code]).toEqual([422, 2787])
  })

  test('matches a phone in any spelling', async () => {
    await keyed('k-3', { amount: 700, phone: '0712345678' })
    expect((await keyed('k-3', { amount: 700, phone: '254712345678' })).status).toBe(200)
  })

  test('does not match the same key of another account', async () => {
    await keyed('k-4', { amount: 700 })
    const headers = { 'idempotency-key': 'k-4' }
    const other = await create({ amount: 900 }, { headers }, await host.merchant())
    expect(other.status).toBe(201)
  })

  test('makes one checkout of twenty requests at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => keyed('k-5', { amount: 700 })),
    )
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1)
    expect(replies.map((reply) => reply.status).sort()).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ])
  })

  test.each([
    ['two of them', ['a', 'b']],
    ['129 characters', 'k'.repeat(129)],
    ['a space within', 'a b'],
    ['nothing', ''],
  ])('returns 400 1701 for: %s', async (_, key) => {
    const reply = await keyed(key, { amount: 700 })
    expect(reply.body).toMatchObject({ code: 1701, errors: [{ path: 'Idempotency-Key' }] })
  })
})

test.each([99, 1, 15_000_001, Number.MAX_SAFE_INTEGER])(
  'an amount of %i is outside the limits of Kenya: 422 2702',
  async (amount) => {
    const reply = await create({ amount })
    expect([reply.status, reply.body.code]).toEqual([422, 2702])
    expect(reply.body.description).toBe(
      'The amount must be 100 to 15000000 minor units (KES 1 to 150000)',
    )
  },
)

test.each([100, 101, 15_000_000])('accepts an amount of %i', async (amount) => {
  expect((await create({ amount })).status).toBe(201)
})

test('returns 404 2783 for an account without a wallet here', async () => {
  const reply = await create(
    { amount: 100 },
    {},
    { ...merchant, secretKey: await host.createKey('acc_none') },
  )
  expect([reply.status, reply.body.code]).toEqual([404, 2783])
})

describe('returns 400 1701 for a wrong request before the key is checked', () => {
  const cases: [string, object | string, string][] = [
    ['no amount', {}, 'amount'],
    ['an amount in a string', { amount: '100' }, 'amount'],
    ['an unknown field', { amount: 100, colour: 'red' }, 'colour'],
    ['an http return_url', { amount: 100, return_url: 'http://shop.example' }, 'return_url'],
    ['a phone with a plus', { amount: 100, phone: '+254712345678' }, 'phone'],
    ['a phone of zeros', { amount: 100, phone: '000000000' }, 'phone'],
    ['no JSON', '{"amount":100', 'body'],
    ['a key twice', '{"amount":100,"amount":200}', 'amount'],
  ]
  test.each(cases)('%s', async (_, body, field) => {
    const headers = { 'content-type': 'application/json', authorization: undefined }
    const reply = await create(body, { headers })
    expect(reply.status).toBe(400)
    expect(failureSchema.parse(reply.body)).toMatchObject({
      code: 1701,
      request_id: reply.headers['x-request-id'],
      errors: [{ path: field }],
    })
  })

  test.each([
    ['Content-Type', ['application/json', 'application/json; charset=utf-7']],
    ['Transfer-Encoding', 'gzip, chunked'],
  ])('refuses a body that parsers could read differently, by its %s', async (path, value) => {
    const headers = { 'content-type': 'application/json', [path.toLowerCase()]: value }
    const reply = await create('{"amount":100}', { headers })
    expect(reply.body).toMatchObject({ code: 1701, errors: [{ path }] })
  })
})

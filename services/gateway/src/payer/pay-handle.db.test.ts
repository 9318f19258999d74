import { randomBytes } from 'node:crypto'
import { successSchema } from '@malipo/interface/envelopes'
import { paymentSchema } from '@malipo/interface/payment'
import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import type { Sent } from '../send.harness'

let host: RunningHost
let merchant: Merchant
let handle: string

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
  handle = merchant.username
})
afterAll(() => host.stop())

const anyKey = () => randomBytes(8).toString('hex')

const pay = (changes: object = {}, sent: Sent & { key?: string } = {}) =>
  host.ask('/v1/payments/public/checkout', {
    body: { handle, amount: 50_000, phone: anyPhone(), ...changes },
    ...sent,
    headers: { 'idempotency-key': sent.key ?? anyKey(), ...sent.headers },
  })

const outcome = async (changes: object = {}, sent: Sent & { key?: string } = {}) => {
  const reply = await pay(changes, sent)
  return [reply.status, reply.body.code]
}

const balance = async ({ accountId }: Pick<Merchant, 'accountId'>) => {
  const [row] = await host.rows(
    `SELECT coalesce(sum(minor), 0)::text AS minor FROM transfers WHERE credit = 'wallet:${accountId}'`,
  )
  return row
}

test('returns 202 for a new prompt, and enqueues a job for the worker', async () => {
  const received: string[] = []
  const queue = { redisUrl: testRedisUrl(), prefix: host.queuePrefix, name: 'submit-prompt' }
  const worker = openWorker({ ...queue, log: openLog('test', 'silent'), concurrency: 1 }, (id) =>
    Promise.resolve(received.push(id)),
  )
  const reply = await pay({ phone: '254712345678' })
  expect(reply.status).toBe(202)
  const { data } = successSchema('Checkout initiated', paymentSchema).parse(reply.body)
  expect(data).toEqual({
    intent_id: expect.stringMatching(/^pi_[0-9a-f]{24}$/),
    status: 'reserved',
    amount: '50000',
    currency: 'KES',
    rail: 'mpesa',
    message: 'A prompt was sent to ***678. Enter your PIN on that phone to pay.',
  })
  await eventually('the job is enqueued', () => received.includes(data.intent_id))
  await worker.close()
})

test('credits the wallet when the prompt is paid, and completes the intent', async () => {
  const owner = await host.merchant()
  const reply = await pay({ handle: owner.username, amount: '12345' })
  const { intent_id } = reply.body.data
  await host.ledger.pay(await host.ledger.submit(intent_id), 12_345n)
  const { body } = await host.ask(`/v1/payments/public/intents/${String(intent_id)}`)
  expect(body.data).toEqual({
    intent_id,
    status: 'completed',
    amount_settled: '12345',
    currency: 'KES',
  })
  expect(await balance(owner)).toEqual({ minor: '12345' })
})

test('accepts any amount for a link, whatever it suggests', async () => {
  const { handle: link } = await host.link(merchant, { title: 'Fees', amountMinor: 250_000n })
  const reply = await pay({ handle: link, amount: 70_000 })
  expect([reply.status, reply.body.data.amount]).toEqual([202, '70000'])
})

test.each([100, '100', 15_000_000, '15000000'])(
  'accepts %p as within the limits',
  async (amount) => {
    const reply = await pay({ amount })
    expect([reply.status, reply.body.data.amount]).toEqual([202, String(amount)])
  },
)

test.each([1, '99', 15_000_001, '15000001', '9007199254740991'])(
  'returns 422 2702 for %p, which is outside the limits',
  async (amount) => {
    expect(await outcome({ amount })).toEqual([422, 2702])
  },
)

test('returns 200 with the same intent for the same key, with the amount as text or number and the handle in any case', async () => {
  const body = { phone: anyPhone(), amount: 50_000 }
  const first = await pay(body, { key: 'k-1' })
  const again = await pay(
    { ...body, amount: '50000', handle: handle.toUpperCase(), rail: 'mpesa' },
    { key: '"k-1"' },
  )
  expect([again.status, again.body.description]).toEqual([200, 'Checkout initiated'])
  expect(again.body.data).toMatchObject({
    intent_id: first.body.data.intent_id,
    message: 'This is a duplicate request: the existing intent is returned.',
  })
  expect(again.headers['idempotency-replayed']).toBe('true')
})

test.each<[string, object]>([
  ['another amount', { amount: 50_001 }],
  ['another phone', { phone: '254712000002' }],
])('returns 422 2787 for the same key with %s', async (_, change) => {
  const body = { phone: '254712000001', amount: 50_000 }
  const key = anyKey()
  await pay(body, { key })
  expect(await outcome({ ...body, ...change }, { key })).toEqual([422, 2787])
})

test('returns 422 2787 for the same key with another handle of the account, and 202 with one of another account', async () => {
  const body = { phone: anyPhone() }
  const key = anyKey()
  const first = await pay(body, { key })
  const { handle: link } = await host.link(merchant)
  expect(await outcome({ ...body, handle: link }, { key })).toEqual([422, 2787])
  const other = await pay({ ...body, handle: (await host.merchant()).username }, { key })
  expect(other.status).toBe(202)
  expect(other.body.data.intent_id).not.toBe(first.body.data.intent_id)
})

test('returns 200 for the same key also when the owner takes no payments any more, and begins nothing for another', async () => {
  const owner = await host.merchant()
  const body = { handle: owner.username, phone: anyPhone() }
  const key = anyKey()
  const { intent_id } = (await pay(body, { key })).body.data
  await host.takeNoPayments(owner)
  const again = await pay(body, { key })
  expect([again.status, again.body.data]).toMatchObject([200, { intent_id }])
  expect(await outcome({ ...body, amount: 60_000 }, { key })).toEqual([422, 2787])
  expect(await outcome(body)).toEqual([404, 2783])
  const begun = `SELECT id FROM intents WHERE account_id = '${owner.accountId}'`
  expect(await host.rows(begun)).toEqual([{ id: intent_id }])
})

test('returns 404 2710 for the same key at a link that was closed since', async () => {
  const link = await host.link(merchant)
  const body = { handle: link.handle, phone: anyPhone() }
  const key = anyKey()
  expect((await pay(body, { key })).status).toBe(202)
  await link.close()
  expect(await outcome(body, { key })).toEqual([404, 2710])
})

test('returns 404 2710 for an unknown handle and for a closed link', async () => {
  expect(await outcome({ handle: 'unclaimed' })).toEqual([404, 2710])
  const link = await host.link(merchant)
  await link.close()
  expect(await outcome({ handle: link.handle })).toEqual([404, 2710])
})

test('returns 404 2783 for an account that cannot be paid here, before the amount is checked', async () => {
  const abroad = await host.foreigner('ug')
  const walletless = await host.foreigner('ke')
  const closed = await host.merchant()
  await host.takeNoPayments(closed)
  for (const { username } of [abroad, walletless, closed]) {
    expect(await outcome({ handle: username, amount: 1 })).toEqual([404, 2783])
  }
})

test('returns 429 1804 for the sixth prompt to a phone within an hour, counting checkouts and handles together', async () => {
  const phone = '254733000009'
  for (const spelling of [phone, `0${phone}`, '0733000009']) {
    expect((await pay({ phone: spelling })).status).toBe(202)
  }
  for (let n = 0; n < 2; n += 1) {
    await host.startPayment((await host.checkout(merchant, { amount: 50_000 })).id, phone)
  }
  const sixth = await pay({ phone })
  expect([sixth.status, sixth.body.code]).toEqual([429, 1804])
  expect(BigInt(sixth.headers['retry-after'] ?? '')).toBeGreaterThan(3_500n)
})

test('returns 429 1804 for the 31st request of an address within an hour, before any lookup', async () => {
  const from = '198.19.8.8'
  const ask = () => pay({ handle: 'unclaimed' }, { from })
  for (let tens = 0; tens < 3; tens += 1) {
    const replies = await Promise.all(Array.from({ length: 10 }, ask))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
  }
  const refused = await ask()
  expect([refused.status, refused.body.code]).toEqual([429, 1804])
  expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"pay";q=30;w=3600' })
  // Handles and checkouts share one budget of prompts.
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  const other = await host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    body: { phone: anyPhone() },
    headers: { 'idempotency-key': anyKey() },
    from,
  })
  expect(other.status).toBe(429)
})

test('returns 400 1701 for an invalid request, and does not count it against the address', async () => {
  const from = '198.19.8.9'
  for (let n = 0; n < 31; n += 1) {
    expect(await outcome({ amount: 0 }, { from })).toEqual([400, 1701])
  }
  expect((await pay({}, { from })).status).toBe(202)
})

test.each<[string, object, Sent, string]>([
  ['no handle', { handle: undefined }, {}, 'handle'],
  ['a handle of another shape', { handle: 'a/b' }, {}, 'handle'],
  ['a handle with a letter that looks like another', { handle: 'mаma' }, {}, 'handle'],
  ['no amount', { amount: undefined }, {}, 'amount'],
  ['a part of a unit', { amount: 0.5 }, {}, 'amount'],
  ['a number that JSON cannot carry', { amount: '9007199254740992' }, {}, 'amount'],
  ['an amount with a sign', { amount: '+500' }, {}, 'amount'],
  ['a leading zero', { amount: '0500' }, {}, 'amount'],
  ['no phone', { phone: undefined }, {}, 'phone'],
  ['a phone with a plus', { phone: '+254712345678' }, {}, 'phone'],
  ['a rail of another country', { rail: 'mtn_momo' }, {}, 'rail'],
  ['a rail without a phone', { rail: 'paybill' }, {}, 'rail'],
  ['a field too many', { reference: 'x' }, {}, 'reference'],
  ['no Idempotency-Key', {}, { headers: { 'idempotency-key': undefined } }, 'Idempotency-Key'],
  ['a form', {}, { headers: { 'content-type': 'text/plain' } }, 'Content-Type'],
])('returns 400 1701 for %s', async (_, changes, sent, field) => {
  const reply = await pay(changes, sent)
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
  expect(reply.body.errors).toMatchObject([{ path: field }])
})

test('sends one prompt for twenty presses of one form at once', async () => {
  const body = { phone: anyPhone() }
  const key = anyKey()
  const replies = await Promise.all(Array.from({ length: 20 }, () => pay(body, { key })))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(19)
})

describe('in Uganda', () => {
  let uganda: RunningHost
  let mukasa: Merchant
  beforeAll(async () => {
    uganda = await startHost({ country: 'ug' })
    mukasa = await uganda.merchant()
  })
  afterAll(() => uganda.stop())

  const payThere = (changes: object) =>
    uganda.ask('/v1/payments/public/checkout', {
      body: { handle: mukasa.username, amount: 500_000, phone: '256772123456', ...changes },
      headers: { 'idempotency-key': anyKey() },
    })

  test.each<[object, unknown[]]>([
    [{}, [202, undefined]],
    [{ rail: 'airtel_money', amount: '100' }, [202, undefined]],
    [{ amount: 500_000_000 }, [202, undefined]],
    [{ amount: 500_000_100 }, [422, 2702]],
    [{ amount: 150 }, [422, 2702]],
    [{ amount: 0.5 }, [400, 1701]],
    [{ rail: 'mpesa' }, [400, 1701]],
  ])('a payment with %j is answered with %j', async (changes, answer) => {
    const reply = await payThere(changes)
    expect([reply.status, reply.body.code]).toEqual(answer)
  })

  test('returns 404 2783 in Uganda for an account of Kenya', async () => {
    const kenyan = await uganda.foreigner('ke')
    const reply = await payThere({ handle: kenyan.username })
    expect([reply.status, reply.body.code]).toEqual([404, 2783])
    expect(reply.body.description).toBe(
      'This handle is paid on the payments host of KE, which holds its money',
    )
  })

  test('names the limits and the rule of whole units for an amount with cents', async () => {
    const { body } = await payThere({ amount: 150 })
    expect(body.description).toBe(
      'The amount must be 100 to 500000000 minor units, a multiple of 100 (UGX 1 to 5000000, whole units only)',
    )
  })
})

test('returns 503 while the ledger or auth is down', async () => {
  await host.lose('ledger')
  expect(await outcome()).toEqual([503, 2752])
  expect(await outcome({ handle: 'unclaimed' })).toEqual([404, 2710])
  await host.lose('auth')
  expect(await outcome()).toEqual([503, 1503])
})

import { Redis } from 'ioredis'
import { testRedisUrl } from '@malipo/testing/redis'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import type { Reply } from '../send.harness'

let host: RunningHost
let merchant: Merchant
let id: string

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
  id = (await host.checkout(merchant, { amount: 50_000 })).id
})
afterAll(() => host.stop())

const merchantPath = '/v1/payments/merchant/checkouts'
const create = ({ secretKey }: Merchant) =>
  host.ask(merchantPath, {
    body: { amount: 100 },
    headers: { authorization: `Bearer ${secretKey}` },
  })
const retrieve = ({ secretKey }: Merchant) =>
  host.ask(`${merchantPath}/${id}`, { headers: { authorization: `Bearer ${secretKey}` } })
const read = (from: string) => host.ask(`/v1/payments/public/checkouts/${id}`, { from })
const pay = (from: string, checkoutId = id) =>
  host.ask(`/v1/payments/public/checkouts/${checkoutId}/pay`, {
    body: { phone: '254712345678' },
    headers: { 'idempotency-key': 'k' },
    from,
  })

async function times(count: number, ask: () => Promise<Reply>): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let request = 0; request < count; request += 1) statuses.add((await ask()).status)
  return statuses
}

function expectToWait(reply: Reply, secondsMax: number) {
  expect([reply.status, reply.body.code]).toEqual([429, 1804])
  const seconds = BigInt(reply.headers['retry-after'] ?? '')
  expect(seconds).toBeGreaterThan(0n)
  expect(seconds).toBeLessThanOrEqual(secondsMax)
}

test('counts both merchant routes in one budget of 120 requests a minute of an account', async () => {
  const busy = await host.merchant()
  expect(await times(60, () => create(busy))).toEqual(new Set([201]))
  // The checkout is another account's; the request is counted all the same.
  expect(await times(60, () => retrieve(busy))).toEqual(new Set([404]))
  expectToWait(await create(busy), 60)
  expectToWait(await retrieve(busy), 60)
  expect((await retrieve(merchant)).status).toBe(200)
})

test('reports what is left of the budget, also in a refusal for another reason', async () => {
  const quiet = await host.merchant()
  const { headers } = await retrieve(quiet)
  expect(headers['ratelimit-policy']).toBe('"merchant";q=120;w=60')
  expect(headers['ratelimit']).toBe('"merchant";r=119;t=60')
})

test("takes nothing from an account's budget for a request without a valid key", async () => {
  const reply = await host.ask(`${merchantPath}/${id}`)
  expect([reply.status, reply.headers['ratelimit']]).toEqual([401, undefined])
})

test('limits an address to 120 reads of checkouts a minute', async () => {
  expect(await times(120, () => read('203.0.113.1'))).toEqual(new Set([200]))
  expectToWait(await read('203.0.113.1'), 60)
  expect((await read('203.0.113.2')).status).toBe(200)
})

test('limits an address to 30 payments an hour, replays and unknown checkouts included', async () => {
  expect(await times(15, () => pay('203.0.113.3'))).toEqual(new Set([200, 202]))
  const unknown = 'cs_ke_000000000000000000000000'
  expect(await times(15, () => pay('203.0.113.3', unknown))).toEqual(new Set([404]))
  expectToWait(await pay('203.0.113.3'), 3_600)
})

test('does not limit reads of an intent', async () => {
  const { intentId } = await host.startPayment(id)
  const poll = () => host.ask(`/v1/payments/public/intents/${intentId}`, { from: '203.0.113.4' })
  expect(await times(150, poll)).toEqual(new Set([200]))
})

test('returns the validation error of a wrong request, however often it is sent', async () => {
  const wrong = () => host.ask('/v1/payments/public/checkouts/x', { from: '203.0.113.5' })
  expect(await times(130, wrong)).toEqual(new Set([400]))
})

test('counts all addresses of an IPv6 subscriber as one', async () => {
  const anyOf = () =>
    read(`2001:db8:1:2::${Math.floor((performance.now() * 1_000) % 65_535).toString(16)}`)
  expect(await times(120, anyOf)).toEqual(new Set([200]))
  expectToWait(await read('2001:db8:1:2:ffff::1'), 60)
  expect((await read('2001:db8:1:3::1')).status).toBe(200)
})

test('row 94: ignores the entries of X-Forwarded-For that the client wrote', async () => {
  let forged = 0
  const forge = () => read(`10.0.0.${String((forged += 1))}, 203.0.113.6`)
  expect(await times(120, forge)).toEqual(new Set([200]))
  expectToWait(await forge(), 60)
})

test('ignores X-Forwarded-For on a host without trusted proxies', async () => {
  const bare = await startHost({ trustedProxies: [] })
  const ask = (from: string) =>
    bare.ask(`/v1/payments/public/checkouts/cs_ke_000000000000000000000000`, { from })
  for (let request = 1; request <= 120; request += 1) {
    expect((await ask(`198.51.100.${String(request)}`)).status).toBe(404)
  }
  expectToWait(await ask('198.51.100.200'), 60)
  await bare.stop()
})

test('gives every rate-limit key in Redis an expiry, and names no phone or secret in it', async () => {
  const redis = new Redis(testRedisUrl())
  const keys = await redis.keys(`${host.queuePrefix}:limit:*`)
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) {
    // -1 is a key that never expires; one that has expired since it was listed is -2.
    expect(await redis.pttl(key)).not.toBe(-1)
    expect(key).not.toMatch(/mkp_|2547/)
  }
  redis.disconnect()
})

import { request } from 'node:http'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import type { Reply } from '../send.harness'

const path = '/v1/payments/merchant/checkouts'

let host: RunningHost
let merchant: Merchant
const redis = new Redis(testRedisUrl())

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
})
afterAll(async () => {
  redis.disconnect()
  await host.stop()
})

interface Caller {
  readonly by?: Merchant
  readonly at?: RunningHost
}

const retrieve = (
  id: string,
  prefer?: string | string[],
  { by = merchant, at = host }: Caller = {},
) => at.ask(`${path}/${id}`, { headers: { authorization: `Bearer ${by.secretKey}`, prefer } })

const create = async (at = host, by = merchant) => (await at.checkout(by, { amount: 50_000 })).id

const left = ({ headers }: Reply) =>
  z.coerce.number().parse(/;r=(\d+);/.exec(headers['ratelimit'] ?? '')?.[1])

/** Starts a waiting request; resolves when the host has read the checkout. */
async function begin(
  id: string,
  prefer: string,
  caller: Caller = {},
): Promise<{ reply: Promise<Reply> }> {
  const before = left(await retrieve(id, undefined, caller))
  const reply = retrieve(id, prefer, caller)
  // Each read of this loop is counted too.
  let looks = 0
  await eventually('the wait is counted', async () => {
    looks += 1
    return left(await retrieve(id, undefined, caller)) < before - looks
  })
  await retrieve(id, undefined, caller)
  return { reply }
}

/** Whether the reply comes before a new wait of 3 seconds ends, so before the poll for lost announcements. */
const isFirst = async (reply: Promise<Reply>, caller: Caller = {}) => {
  const later = create(caller.at, caller.by).then((id) => retrieve(id, 'wait=3', caller))
  return (await Promise.race([reply, later])) === (await reply)
}

test('answers with the present state without Redis, with no free place, and at shutdown', async () => {
  const at = await startHost({ redisUrl: 'redis://127.0.0.1:1', waitsMax: 1 })
  const by = await at.merchant()
  const id = await create(at, by)

  // No announcement comes: only the last read finds the change.
  const changed = await begin(id, 'wait=2', { at, by })
  const { intentId } = await at.startPayment(id)
  const { headers, body } = await changed.reply
  expect(headers['preference-applied']).toBe('wait=2')
  expect(body.data).toMatchObject({ payment: { intent_id: intentId } })

  // A client that disconnects frees its place.
  const gone = request(`${at.url}${path}/${id}`, {
    headers: { authorization: `Bearer ${by.secretKey}`, prefer: 'wait=60' },
  }).on('error', () => undefined)
  gone.end()
  const isApplied = async () =>
    (await retrieve(id, 'wait=0', { at, by })).headers['preference-applied'] !== undefined
  await eventually('there is no room', async () => !(await isApplied()), 60_000, 100)
  gone.destroy()
  await eventually('there is room', isApplied, 60_000, 100)

  const { reply } = await begin(id, 'wait=60', { at, by })
  const refused = await retrieve(id, 'wait=60', { at, by })
  expect([refused.status, refused.headers['preference-applied']]).toEqual([200, undefined])
  expect(refused.body.data.status).toBe('open')
  await at.shutDown()
  const answered = await reply
  expect([answered.status, answered.headers['preference-applied']]).toEqual([200, undefined])
  expect(answered.body).toEqual(refused.body)
  await at.stop()
})

test('answers a waiting request when a payer starts to pay', async () => {
  const id = await create()
  const { reply } = await begin(id, 'wait=60')
  const { intentId } = await host.startPayment(id)

  expect(await isFirst(reply)).toBe(true)
  const { status, headers, body } = await reply
  expect([status, headers['preference-applied']]).toEqual([200, 'wait=60'])
  expect(body.data).toMatchObject({ payment: { intent_id: intentId, status: 'reserved' } })
})

test('answers a waiting request when the payment completes, with the body of any read', async () => {
  const id = await create()
  const { intentId } = await host.startPayment(id)
  const token = await host.ledger.submit(intentId)
  const { reply } = await begin(id, 'wait=60')
  await host.ledger.pay(token, 50_000n)
  host.announce([intentId])

  expect(await isFirst(reply)).toBe(true)
  const { body } = await reply
  expect(body.data).toMatchObject({ status: 'completed', payment: { status: 'completed' } })
  expect(body).toEqual((await retrieve(id)).body)
})

test('answers after N seconds with the present state, and counts once against the rate limit', async () => {
  const id = await create()
  const before = await retrieve(id)
  const waited = await retrieve(id, ['respond-async', 'Wait=1'])
  const after = await retrieve(id)
  expect([waited.status, waited.headers['preference-applied']]).toEqual([200, 'wait=1'])
  expect(waited.body).toEqual(before.body)
  expect([left(waited), left(after)]).toEqual([left(before) - 1, left(before) - 2])
})

test.each([
  'wait=61',
  'wait=-1',
  'wait=soon',
  'wait="60',
  '',
  'wait=61, wait=60',
  'return=minimal',
])('ignores `Prefer: %s`', async (prefer) => {
  const id = await create()
  const reply = await retrieve(id, prefer)
  expect([reply.status, reply.headers['preference-applied']]).toEqual([200, undefined])
  expect(reply.body).toEqual((await retrieve(id)).body)
})

test('answers a waiting request at once: 404 2783 for a checkout of another account, 200 for a completed one', async () => {
  const id = await create()
  const foreign = retrieve(id, 'wait=60', { by: await host.merchant() })
  expect(await isFirst(foreign)).toBe(true)
  const { status, headers, body } = await foreign
  expect([status, body.code, headers['preference-applied']]).toEqual([404, 2783, undefined])

  const { intentId } = await host.startPayment(id)
  await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  const completed = retrieve(id, 'wait=60')
  expect(await isFirst(completed)).toBe(true)
  expect((await completed).headers['preference-applied']).toBe('wait=60')
})

test('keeps room for reads beside 130 waiting requests, and answers all 65 of a checkout when its payment starts', async () => {
  const merchants = [await host.merchant(), await host.merchant()]
  const waiting = await Promise.all(
    merchants.map(async (by) => {
      const id = await create(host, by)
      const replies = Array.from({ length: 65 }, () => retrieve(id, 'wait=60', { by }))
      const counted = `${host.queuePrefix}:limit:merchant:${by.accountId}`
      await eventually('all wait', async () => (await redis.zcard(counted)) === 66)
      return { id, replies }
    }),
  )
  const { intentId } = await host.startPayment(await create())
  const read = await host.ask(`/v1/payments/public/intents/${intentId}`)
  expect(read.status).toBe(200)

  for (const { id } of waiting) await host.startPayment(id)
  const replies = await Promise.all(waiting.flatMap((each) => each.replies))
  expect(replies.filter(({ body }) => body.data.payment?.status !== 'reserved')).toEqual([])
})

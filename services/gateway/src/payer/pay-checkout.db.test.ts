import { ofFile } from '@malipo/testing/lazily'
import { randomBytes } from 'node:crypto'
import { successSchema } from '@malipo/interface/envelopes'
import { paymentSchema } from '@malipo/interface/payment'
import { eventually } from '@malipo/testing/eventually'
import { openWorker } from '@malipo/runtime/queue'
import { openLog } from '@malipo/runtime/log'
import { testRedisUrl } from '@malipo/testing/redis'
import { anyPhone, startHost } from '../start.harness'
import type { Sent } from '../send.harness'

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

const checkout = async (amount = 50_000) => (await host.checkout(merchant, { amount })).id
const anyKey = () => randomBytes(8).toString('hex')

const pay = (
  id: string,
  body: object = { phone: anyPhone() },
  sent: Sent & { key?: string } = {},
) =>
  host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    body,
    ...sent,
    headers: { 'idempotency-key': sent.key ?? anyKey(), ...sent.headers },
  })

test('returns 202 for a new prompt, and enqueues a job for the worker', async () => {
  const received: string[] = []
  const queue = { redisUrl: testRedisUrl(), prefix: host.queuePrefix, name: 'submit-prompt' }
  const worker = openWorker({ ...queue, log: openLog('test', 'silent'), concurrency: 1 }, (id) =>
    Promise.resolve(received.push(id)),
  )
  const reply = await pay(await checkout(), { phone: '254712345678', rail: 'mpesa' })
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

test('returns 200 with the same intent for the same key, also after the intent ended', async () => {
  const id = await checkout()
  const body = { phone: anyPhone() }
  const first = await pay(id, body, { key: 'k-1' })
  const again = await pay(id, { ...body, rail: 'mpesa' }, { key: 'k-1' })
  expect([again.status, again.body.description]).toEqual([200, 'Checkout initiated'])
  expect(again.body.data).toMatchObject({
    intent_id: first.body.data.intent_id,
    message: 'This is a duplicate request: the existing intent is returned.',
  })
  expect(again.headers['idempotency-replayed']).toBe('true')

  const { intent_id } = first.body.data
  await host.ledger.pay(await host.ledger.submit(intent_id), 50_000n)
  const late = await pay(id, body, { key: 'k-1' })
  expect([late.status, late.body.data.status]).toEqual([200, 'completed'])
})

test('returns 422 2787 for the same key with another phone', async () => {
  const id = await checkout()
  await pay(id, { phone: anyPhone() }, { key: 'k-1' })
  const reply = await pay(id, { phone: anyPhone() }, { key: 'k-1' })
  expect([reply.status, reply.body.code]).toEqual([422, 2787])
})

test('returns 200 already in progress for another key while an intent is in flight, and binds the key to it', async () => {
  const id = await checkout()
  const first = await pay(id)
  const phone = anyPhone()
  const second = await pay(id, { phone }, { key: 'k-2' })
  expect([second.status, second.body.description]).toEqual([200, 'Checkout already in progress'])
  expect(second.body.data.intent_id).toBe(first.body.data.intent_id)

  await host.ledger.decline(await host.ledger.submit(first.body.data.intent_id), 'CANCELLED')
  const later = await pay(id, { phone }, { key: 'k-2' })
  expect([later.status, later.body.data.intent_id]).toEqual([200, first.body.data.intent_id])
})

test('sends one prompt for fifty presses at once', async () => {
  const id = await checkout()
  const replies = await Promise.all(Array.from({ length: 50 }, () => pay(id)))
  expect(replies.filter((reply) => reply.status === 202)).toHaveLength(1)
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(49)
  expect(new Set(replies.map((reply) => reply.body.data.intent_id)).size).toBe(1)
})

test('returns 409 2785 for a paid checkout', async () => {
  const id = await checkout()
  const { intentId } = await host.startPayment(id)
  await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  const reply = await pay(id)
  expect([reply.status, reply.body.code]).toEqual([409, 2785])
})

test('returns 409 2784 for an expired checkout with nothing in flight', async () => {
  const id = await checkout()
  await host.expire(id)
  const reply = await pay(id)
  expect([reply.status, reply.body.code]).toEqual([409, 2784])
})

test('returns 404 2783 for an unknown checkout', async () => {
  const reply = await pay('cs_ke_000000000000000000000000')
  expect([reply.status, reply.body.code]).toEqual([404, 2783])
})

test('returns 429 1804 for the sixth prompt to a phone within an hour, in any spelling, without the budget of the address', async () => {
  const spellings = ['254733000001', '0254733000001', '0733000001', '733000001', '2540733000001']
  for (const phone of spellings) expect((await pay(await checkout(), { phone })).status).toBe(202)
  const sixth = await pay(await checkout(), { phone: '00254733000001' })
  expect([sixth.status, sixth.body.code]).toEqual([429, 1804])
  expect(BigInt(sixth.headers['retry-after'] ?? '')).toBeGreaterThan(3_500n)
  expect(Object.keys(sixth.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
})

test.each<[string, object, Sent, string]>([
  ['no phone', {}, {}, 'phone'],
  ['a phone of eight digits', { phone: '12345678' }, {}, 'phone'],
  ['a rail of another country', { phone: '254712345678', rail: 'mtn_momo' }, {}, 'rail'],
  ['an amount', { phone: '254712345678', amount: 5 }, {}, 'amount'],
  [
    'no Idempotency-Key',
    { phone: '254712345678' },
    { headers: { 'idempotency-key': undefined } },
    'Idempotency-Key',
  ],
  [
    'two of them',
    { phone: '254712345678' },
    { headers: { 'idempotency-key': ['a', 'b'] } },
    'Idempotency-Key',
  ],
  [
    'a form instead of JSON',
    { phone: '254712345678' },
    { headers: { 'content-type': 'text/plain' } },
    'Content-Type',
  ],
])('returns 400 1701 for %s', async (_, body, sent, path) => {
  const reply = await pay(await checkout(), body, sent)
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
  expect(reply.body.errors).toMatchObject([{ path }])
})

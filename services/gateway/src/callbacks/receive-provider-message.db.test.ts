import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { type RunningHost, startHost } from '../start.harness'
import { send } from '../send.harness'

let host: RunningHost
let received: string[]
let worker: { close: () => Promise<void> }

beforeAll(async () => {
  host = await startHost()
  received = []
  const queue = {
    redisUrl: testRedisUrl(),
    prefix: host.queuePrefix,
    name: 'read-provider-message',
  }
  worker = openWorker({ ...queue, log: openLog('test', 'silent'), concurrency: 1 }, (id) =>
    Promise.resolve(received.push(id)),
  )
})
afterAll(async () => {
  await worker.close()
  await host.stop()
})

const provider = '196.201.214.200'
const callBack = (token: string, body: string | Buffer, from = provider) =>
  send(`${host.callbackUrl}/callbacks/${token}`, { body, from })

const prompted = async () => {
  const { id } = await host.checkout(await host.merchant(), { amount: 50_000 })
  const { intentId } = await host.startPayment(id)
  return { intentId, token: await host.ledger.submit(intentId) }
}
const nextMessage = () => eventually('the job is enqueued', () => received.pop())

test.each([
  ['JSON', Buffer.from('{"Body":{"stkCallback":{"ResultCode":0}}}')],
  ['no JSON', Buffer.from('<html>oops')],
  ['bytes that are no text', Buffer.from([0, 0xff, 0xfe, 0x80])],
  ['nothing', Buffer.alloc(0)],
  ['8 KB', Buffer.alloc(8_192, 'x')],
])("stores a message unchanged, and acknowledges it in Daraja's format: %s", async (_, body) => {
  const { token, intentId } = await prompted()
  const reply = await callBack(token, body)
  expect([reply.status, reply.text]).toEqual([200, '{"ResultCode":0,"ResultDesc":"Accepted"}'])
  const kept = await host.ledger.readProviderMessage({ messageId: await nextMessage() })
  expect(kept).toMatchObject({ intentId, rail: 'RAIL_MPESA', applied: false })
  expect(Buffer.from(kept.body).equals(body)).toBe(true)
})

test.each([
  ['an address that the provider publishes is known', provider, true, provider],
  ['so it is behind a proxy that adds the port', provider, true, `${provider}:41522`],
  ['any other is kept and not known', '198.18.0.7', false, '198.18.0.7'],
])('%s', async (_, from, isKnown, forwarded) => {
  const { token } = await prompted()
  await callBack(token, '{}', forwarded)
  const [row] = await host.rows(
    `SELECT source_address, source_known FROM provider_messages WHERE id = '${await nextMessage()}'`,
  )
  expect(row).toEqual({ source_address: from, source_known: isKnown })
})

test('row 7: returns 404 for an unknown token, and for every other path', async () => {
  const { token } = await prompted()
  const unknown = [
    `callbacks/${token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`,
    `callbacks/${'0'.repeat(56)}`,
    'callbacks/short',
    'callbacks',
    '',
    'v1/payments/public/intents/pi_1',
  ]
  for (const path of unknown) {
    const reply = await send(`${host.callbackUrl}/${path}`, { body: '{}', from: provider })
    expect([path, reply.status, reply.body.code]).toEqual([path, 404, 1704])
  }
})

test('row 24: stores the beginning of a body above 8 KB, and acknowledges it', async () => {
  const { token } = await prompted()
  const reply = await callBack(token, Buffer.alloc(100_000, 'x'))
  expect([reply.status, reply.text]).toEqual([200, '{"ResultCode":0,"ResultDesc":"Accepted"}'])
  const kept = await host.ledger.readProviderMessage({ messageId: await nextMessage() })
  expect(Buffer.from(kept.body).equals(Buffer.alloc(8_192, 'x'))).toBe(true)
})

test('limits an unlisted address to 120 calls a minute, and never limits a provider', async () => {
  const ask = (from: string) => callBack('0'.repeat(56), '{}', from)
  for (let call = 1; call <= 120; call += 1) expect((await ask('198.18.0.8')).status).toBe(404)
  expect((await ask('198.18.0.8')).status).toBe(429)
  for (let call = 1; call <= 121; call += 1) expect((await ask(provider)).status).toBe(404)
})

test('row 25: returns 503 while the ledger is down, so that the provider retries', async () => {
  const { token } = await prompted()
  await host.lose('ledger')
  const reply = await callBack(token, '{}')
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
})

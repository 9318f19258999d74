import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { type RunningHost, startHost } from '../start.harness'
import { send } from '../send.harness'

// The host of Uganda, whose providers use other callback formats than Daraja.

let host: RunningHost
let received: string[]
let worker: { close: () => Promise<void> }

beforeAll(async () => {
  host = await startHost({ country: 'ug', callbackSources: [] })
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

const nextMessage = () => eventually('the job is enqueued', () => received.pop())

async function prompted(rail: string, phone: string) {
  const { id } = await host.checkout(await host.merchant(), { amount: 500_000 })
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    body: { phone, rail },
    headers: { 'idempotency-key': id },
  })
  const intentId = String(body.data.intent_id)
  return { intentId, token: await host.ledger.submit(intentId) }
}

const airtelBody = (transactionId: string) => ({
  transaction: { id: transactionId, message: 'Paid', status_code: 'TS', airtel_money_id: 'MP1' },
})
const callAirtel = (body: object) => send(`${host.callbackUrl}/callbacks/airtel_money`, { body })

test.each([
  ['POST', '256772123456'],
  ['PUT', '256772123457'],
])("accepts a callback of MTN by %s at the prompt's address", async (method, phone) => {
  const { intentId, token } = await prompted('mtn_momo', phone)
  const body = '{"status":"SUCCESSFUL"}'
  const reply = await send(`${host.callbackUrl}/callbacks/${token}`, { method, body })
  expect(reply.status).toBe(200)
  const kept = await host.ledger.readProviderMessage({ messageId: await nextMessage() })
  expect(kept).toMatchObject({ intentId, rail: 'RAIL_MTN_MOMO' })
  expect(Buffer.from(kept.body).toString()).toBe(body)
})

test('stores an Airtel callback from the shared address with the payment that its body names', async () => {
  const { intentId } = await prompted('airtel_money', '256752123456')
  expect((await callAirtel(airtelBody(intentId.slice(3)))).status).toBe(200)
  const kept = await host.ledger.readProviderMessage({ messageId: await nextMessage() })
  expect(kept).toMatchObject({
    intentId,
    rail: 'RAIL_AIRTEL_MONEY',
    kind: 'PROVIDER_MESSAGE_KIND_CALLBACK',
  })
})

test('returns 404 at the shared address for a payment that is not by Airtel', async () => {
  const { intentId } = await prompted('mtn_momo', '256772123460')
  const bodies = [
    airtelBody(intentId.slice(3)),
    airtelBody('0'.repeat(24)),
    airtelBody('BBZMiscxy'),
    {},
  ]
  for (const body of bodies) expect((await callAirtel(body)).status).toBe(404)
  expect(received).toEqual([])
})

test('counts an unlisted address until it has called about a payment, and then counts each payment', async () => {
  const first = await prompted('mtn_momo', '256772123458')
  const second = await prompted('mtn_momo', '256772123459')
  const left = async (token: string) => {
    const url = `${host.callbackUrl}/callbacks/${token}`
    const { status, headers } = await send(url, { body: '{}', from: '198.18.0.20' })
    return [status, /r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]]
  }
  expect(await left(first.token)).toEqual([200, '119'])
  expect(await left(second.token)).toEqual([200, '119'])
  expect(await left(first.token)).toEqual([200, '119'])
  expect(await left(first.token)).toEqual([200, '118'])
  // A call about no payment is counted, and makes its address unknown again, so that the next call is counted too.
  expect(await left('0'.repeat(56))).toEqual([404, '118'])
  expect(await left(second.token)).toEqual([200, '117'])
  expect(await left(second.token)).toEqual([200, '118'])
})

test('returns 404 in Kenya at the callback address that all Airtel payments share', async () => {
  const kenya = await startHost()
  const reply = await send(`${kenya.callbackUrl}/callbacks/airtel_money`, { body: {} })
  expect([reply.status, reply.body.code]).toEqual([404, 1704])
  await kenya.stop()
})

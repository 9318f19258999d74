import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { mtnMomo, startSimulator, type RunningSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { retryAfterMs } from './conclude'
import { fatuma, from, mtnClient, referenceId } from './mtn-momo.harness'

interface Received {
  readonly method: string
  readonly body: string
}

let received: Received[]
let answers: number[]
let server: Server
let callback: { headers: { 'x-callback-url': string } }
let sim: RunningSimulator | undefined

beforeEach(async () => {
  received = []
  answers = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ method: request.method ?? '', body: Buffer.concat(chunks).toString() })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  callback = { headers: { 'x-callback-url': `http://127.0.0.1:${String(port)}/callbacks/5f0c` } }
})
afterEach(async () => {
  await sim?.stop()
  server.closeAllConnections()
  server.close()
})

async function start(changes: Partial<typeof mtnMomo> = {}) {
  sim = await startSimulator({ mtnMomo: { ...mtnMomo, ...changes } })
  return { sim, mtn: mtnClient(sim) }
}

const callbackNumber = (count: number) =>
  eventually(`callback ${String(count)}`, () => received[count - 1])

test('a payment is called back as recorded, with the receipt of the book', async () => {
  const { sim, mtn } = await start()
  await mtn.pay(callback)
  await sim.jump(500)
  await sim.control('POST', `/phones/${fatuma}/prompt`, { action: 'approve' })
  const { body } = await callbackNumber(1)
  const [row] = (await sim.control('GET', '/book')).body
  const sample = recorded('mtn-momo', 'callback-successful').body
  expect(JSON.parse(body)).toEqual({ ...sample, financialTransactionId: row.receipt })
})

test('a failed payment is called back as measured, without the note to the payer', async () => {
  const { sim, mtn } = await start()
  await mtn.pay({ ...callback, ...from('46733123451') })
  await sim.jump(1_000)
  const body = JSON.parse((await callbackNumber(1)).body)
  const sample = recorded('mtn-momo', 'callback-failed-rejected').body
  expect(Object.keys(body).sort()).toEqual(Object.keys(sample).sort())
})

test.each(['PUT', 'POST'] as const)('sends callbacks by %s if that is set', async (method) => {
  const { sim, mtn } = await start({ callbackMethod: method })
  await mtn.pay({ ...callback, ...from('46733123451') })
  await sim.jump(1_000)
  expect((await callbackNumber(1)).method).toBe(method)
})

test('sends callbacks by PUT or by POST when the method is not set', async () => {
  const { sim, mtn } = await start()
  for (let count = 0; count < 10; count += 1) {
    const reference = `${String(count).padStart(8, '0')}-0000-4000-8000-000000000000`
    const headers = { ...callback.headers, 'x-reference-id': reference }
    await mtn.pay({ ...from('46733123451'), headers })
  }
  await sim.jump(1_000)
  await callbackNumber(10)
  expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['PUT', 'POST']))
})

test('sends no callback without an address', async () => {
  const { sim, mtn } = await start()
  await mtn.pay(from('46733123451'))
  await sim.jump(1_000)
  expect((await mtn.status()).body.status).toBe('FAILED')
  const { body } = await sim.control('GET', '/events')
  expect(JSON.stringify(body)).not.toContain('callback_')
})

test('with the policy "once" a refused callback is not repeated', async () => {
  answers = [500]
  const { sim, mtn } = await start({ callbackPolicy: 'once' })
  await mtn.pay({ ...callback, ...from('46733123451') })
  await sim.jump(1_000)
  await callbackNumber(1)
  await delivered(sim, 1)
  await sim.jump(86_400_000)
  expect(received).toHaveLength(1)
})

test('with the policy "retried" a refused callback is repeated until it is accepted', async () => {
  answers = [500, 503, 200]
  const { sim, mtn } = await start({ callbackPolicy: 'retried' })
  await mtn.pay({ ...callback, ...from('46733123451') })
  await sim.jump(1_000)
  for (const count of [1, 2, 3]) {
    await callbackNumber(count)
    await delivered(sim, count)
    await sim.jump(1_000)
  }
  await sim.jump(86_400_000)
  expect(received).toHaveLength(3)
})

test('retries follow at growing intervals, and end after 122', () => {
  const waits = Array.from({ length: 200 }, (_, index) => retryAfterMs(index + 1))
  const count = (ms: number | undefined) => waits.filter((wait) => wait === ms).length
  expect([count(1_000), count(120_000), count(3_600_000), count(undefined)]).toEqual([
    20, 30, 72, 78,
  ])
})

test('a rule can send the callback before the answer to the request', async () => {
  const { sim, mtn } = await start()
  await sim.control('POST', '/rules', { on: 'push', effect: { kind: 'early' } })
  const paid = mtn.pay({ ...callback, ...from('46733123451') })
  await sim.control('POST', '/expect', { kind: 'push_accepted' })
  await sim.jump(1_000)
  await callbackNumber(1)
  expect((await paid).status).toBe(202)
  expect((await mtn.status(referenceId)).status).toBe(200)
})

/** Waits until the n-th delivery was recorded, and its retry scheduled. */
async function delivered(sim: RunningSimulator, count: number): Promise<void> {
  const { body } = await sim.control('POST', '/expect', { kind: 'callback_delivered', count })
  expect(body.met).toBe(true)
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@malipo/testing/eventually'
import { type Reply, send } from './http/send.harness'
import { anyPhone, type RunningHost, startHost } from './start.harness'

let host: RunningHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))

/** How often each status and code was answered: `{"503 2752": 12}`. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const name = [status, body?.code].filter((part) => part !== undefined).join(' ')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

async function openCheckouts(count: number): Promise<string[]> {
  const merchant = await host.merchant()
  const made = await Promise.all(times(count, () => host.checkout(merchant, { amount: 50_000 })))
  return made.map(({ id }) => id)
}

const pay = (checkoutId: string, index: number) =>
  send(`${host.url}/v1/payments/public/checkouts/${checkoutId}/pay`, {
    body: { phone: anyPhone() },
    headers: { 'idempotency-key': `${checkoutId}-${String(index)}` },
  })

/** Addresses that providers call back to, of prompts that are on the phone. */
async function openCallbacks(count: number): Promise<string[]> {
  const checkouts = await openCheckouts(count)
  const started = await Promise.all(checkouts.map((id) => host.startPayment(id)))
  const tokens = await Promise.all(started.map(({ intentId }) => host.ledger.submit(intentId)))
  return tokens.map((token) => `${host.callbackUrl}/callbacks/${token}`)
}

const callBack = (url: string) => send(url, { body: { Body: {} } })

/** Asks for a page again and again, from many addresses at once, until it is told to stop. Answers all that came. */
function flood(url: string, clients: number) {
  const replies: Reply[] = []
  let isOver = false
  const running = times(clients, async () => {
    while (!isOver) {
      const reply = await send(url)
      replies.push(reply)
      // A client that was refused comes again soon, and not at once.
      if (reply.headers['retry-after'] !== undefined) await wait(50)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(running)
    return replies
  }
}

test('a flood of reads is shed with 503 2752 and Retry-After; every pay and every callback is answered', async () => {
  const [payable, callbacks, [checkoutId = '']] = [
    await openCheckouts(20),
    await openCallbacks(20),
    await openCheckouts(1),
  ]
  const { intentId } = await host.startPayment(checkoutId)
  const readIntent = () => send(`${host.url}/v1/payments/public/intents/${intentId}`)
  // The database holds what only reads of card pages ask for, so that reads pile up.
  const released = host.rows(`
    BEGIN; LOCK TABLE card_sessions IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(5); COMMIT`)
  const stop = flood(`${host.url}/c/${checkoutId}/card/${intentId}`, 150)
  await eventually('reads are shed', async () => (await readIntent()).status === 503)

  const [called, paid, read] = await Promise.all([
    Promise.all(callbacks.map(callBack)),
    Promise.all(payable.map(pay)),
    readIntent(),
  ])
  expect(tally(called)).toEqual({ '200': 20 })
  expect(tally(paid)).toEqual({ '202': 20 })
  expect([read.status, read.body.code, read.headers['retry-after']]).toEqual([503, 2752, '1'])
  const pages = await stop()
  await released
  // Those that the database let go in the end are not found: the payment is by no card.
  const shed = pages.filter(({ status }) => status === 503)
  expect(pages.filter(({ status }) => status !== 503 && status !== 404)).toEqual([])
  expect(shed.every(({ text }) => text.includes('We cannot show this right now'))).toBe(true)
})

test('a flood of pays is shed with 503 2752; every callback is answered', async () => {
  const [callbacks, [checkoutId = '']] = [await openCallbacks(20), await openCheckouts(1)]
  // The database holds the checkout, so that pays of it pile up.
  const released = host.rows(`
    BEGIN; SELECT 1 FROM checkouts WHERE id = '${checkoutId}' FOR UPDATE; SELECT pg_sleep(1.5); COMMIT`)
  const pays = times(400, (index) => pay(checkoutId, index))
  const called = callbacks.map(callBack)

  expect(tally(await Promise.all(called))).toEqual({ '200': 20 })
  const replies = await Promise.all(pays)
  const shed = replies.filter(({ status }) => status === 503)
  expect(shed.length).toBeGreaterThan(200)
  expect(new Set(shed.map(({ body }) => body.code))).toEqual(new Set([2752]))
  expect(shed.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([])
  expect(replies.filter(({ status }) => status === 500)).toEqual([])
  await released
})

test('serves a fresh connection beside 2,000 idle ones of one address', async () => {
  const untrusting = await startHost({ trustedProxies: ['10.0.0.1'] })
  const { hostname, port } = new URL(untrusting.url)
  const idle: Socket[] = []
  for (let count = 0; count < 2_000; count += 1) {
    const localAddress = '127.0.0.9'
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('error', () => undefined)
    idle.push(socket)
    socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
  }
  const reply = await send(`${untrusting.url}/docs/openapi.json`)
  expect(reply.status).toBe(200)
  for (const socket of idle) socket.destroy()
  await untrusting.stop()
})

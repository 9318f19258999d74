import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { z } from 'zod'
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

/** Holds rows or a table in the ledger's database until it is released. */
function hold(sql: string): () => Promise<void> {
  const held = host.rows(`BEGIN; ${sql}; SELECT pg_sleep(120)`).catch(() => undefined)
  return async () => {
    await host.rows(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE '%pg_sleep(120)%' AND pid <> pg_backend_pid() AND datname = current_database()`)
    await held
  }
}

/** Clients that ask for a page again and again; one that is shed before its rate is counted stays away. */
function flood(url: string, clients: number): () => Promise<readonly Reply[]> {
  const replies: Reply[] = []
  let isOver = false
  const running = times(clients, async () => {
    while (!isOver) {
      const reply = await send(url)
      replies.push(reply)
      if (reply.headers['ratelimit'] === undefined) return
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
    await openCheckouts(10),
    await openCallbacks(10),
    await openCheckouts(1),
  ]
  const { intentId } = await host.startPayment(checkoutId)
  // The database holds what only reads of card pages ask for, so that reads pile up.
  const release = hold('LOCK TABLE card_sessions IN ACCESS EXCLUSIVE MODE')
  const stop = flood(`${host.url}/c/${checkoutId}/card/${intentId}`, 160)
  const read = await eventually('a read is shed', async () => {
    const reply = await send(`${host.url}/v1/payments/public/intents/${intentId}`)
    return reply.status !== 200 && reply
  })
  const [called, paid] = await Promise.all([
    Promise.all(callbacks.map(callBack)),
    Promise.all(payable.map(pay)),
  ])
  await release()
  const pages = await stop()

  expect(tally(called)).toEqual({ '200': 10 })
  expect(tally(paid)).toEqual({ '202': 10 })
  expect([read.status, read.body.code, read.headers['retry-after']]).toEqual([503, 2752, '1'])
  // Those that the database let go in the end are not found: the payment is by no card.
  expect(pages.filter(({ status }) => status !== 503 && status !== 404)).toEqual([])
  const shed = pages.filter(({ headers }) => headers['ratelimit'] === undefined)
  expect(shed.length).toBeGreaterThan(0)
  expect(shed.every(({ text }) => text.includes('We cannot show this right now'))).toBe(true)
})

test('a flood of pays is shed with 503 2752; every callback is answered', async () => {
  const [callbacks, [checkoutId = '']] = [await openCallbacks(10), await openCheckouts(1)]
  // The database holds the checkout, so that pays of it pile up.
  const release = hold(`SELECT 1 FROM checkouts WHERE id = '${checkoutId}' FOR UPDATE`)
  const pays = times(300, (index) => pay(checkoutId, index))
  const called = await Promise.all(callbacks.map(callBack))
  const replies = await Promise.all(pays)
  await release()

  expect(tally(called)).toEqual({ '200': 10 })
  expect(tally(replies)).toEqual({ '503 2752': 300 })
  expect(replies.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([])
})

test('serves a fresh connection beside 2,000 idle ones of one address', async () => {
  const untrusting = await startHost({ trustedProxies: ['10.0.0.1'] })
  const { hostname, port } = new URL(untrusting.url)
  const idle: Socket[] = []
  for (let count = 0; count < 2_000; count += 1) {
    const localAddress = '127.0.0.9'
    const socket = connect({ host: hostname, port: z.coerce.number().parse(port), localAddress })
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

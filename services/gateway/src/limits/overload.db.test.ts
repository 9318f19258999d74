import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { stretchWaits } from '@malipo/runtime/waits'
import { eventually } from '@malipo/testing/eventually'
import { z } from 'zod'
import { type Reply, send } from '../send.harness'
import { type HeldLedger, openHeldLedger } from './held-ledger.harness'
import type { Merchant } from '../merchants.harness'
import { rush } from './rush.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let ledger: HeldLedger

beforeAll(async () => {
  // The waits are those of production: with the longer waits of tests, no read would wait too long and be shed.
  stretchWaits(1)
  ledger = await openHeldLedger('ke')
  host = await startHost({ ledgerAddress: ledger.address })
  ledger.passOnTo(host.address('ledger'))
})
afterAll(async () => {
  await host.stop()
  await ledger.stop()
})

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

/** Callback addresses of prompts that are open on a phone. */
async function openCallbacks(count: number): Promise<string[]> {
  const checkouts = await openCheckouts(count)
  const started = await Promise.all(checkouts.map((id) => host.startPayment(id)))
  const tokens = await Promise.all(started.map(({ intentId }) => host.ledger.submit(intentId)))
  return tokens.map((token) => `${host.callbackUrl}/callbacks/${token}`)
}

const callBack = (url: string) => send(url, { body: { Body: {} } })

/** Clients that poll a page; a request that is shed before the rate limit is not repeated. */
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

test('sheds a flood of reads with 503 2752 and Retry-After, and answers every pay and every callback', async () => {
  const [payable, callbacks, [checkoutId = '']] = [
    await openCheckouts(10),
    await openCallbacks(10),
    await openCheckouts(1),
  ]
  const { intentId } = await host.startPayment(checkoutId)
  // Locks a table that only card pages read, so that reads pile up.
  const release = await host.hold('LOCK TABLE card_sessions IN ACCESS EXCLUSIVE MODE')
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
  // Reads that the database releases in the end are 404: the payment is not by card.
  expect(pages.filter(({ status }) => status !== 503 && status !== 404)).toEqual([])
  const shed = pages.filter(({ headers }) => headers['ratelimit'] === undefined)
  expect(shed.length).toBeGreaterThan(0)
  expect(shed.every(({ text }) => text.includes('We cannot show this right now'))).toBe(true)
})

test('sheds a flood of pays with 503 2752, and answers every callback', async () => {
  const [callbacks, [checkoutId = '']] = [await openCallbacks(10), await openCheckouts(1)]
  // Locks the checkout, so that pays of it pile up.
  const release = await host.hold(`SELECT 1 FROM checkouts WHERE id = '${checkoutId}' FOR UPDATE`)
  const pays = times(300, (index) => pay(checkoutId, index))
  const called = await Promise.all(callbacks.map(callBack))
  const replies = await Promise.all(pays)
  await release()

  expect(tally(called)).toEqual({ '200': 10 })
  expect(tally(replies)).toEqual({ '503 2752': 300 })
  expect(replies.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([])
})

/** The reads at work at once. If the ledger answers none, as many more begin when the deadline of these has passed. */
const readsAtWork = 48

const checkoutUrl = (id: string) => `${host.url}/v1/payments/public/checkouts/${id}`

/** Resolves when each request waits at the ledger or has its answer; returns how many reached the ledger. */
async function untilHeld(
  method: Parameters<HeldLedger['arrived']>[0],
  requests: readonly Promise<unknown>[],
): Promise<number> {
  let answered = 0
  for (const request of requests) void request.then(() => (answered += 1))
  const areThere = () => ledger.arrived(method) + answered >= requests.length
  await eventually(`all wait at ${method} or are answered`, areThere)
  return ledger.arrived(method)
}

/** The 5xx answers that do not name when to retry. */
const failures = (replies: readonly Reply[]) =>
  replies.filter(
    ({ status, headers }) =>
      status >= 500 && (status !== 503 || headers['retry-after'] === undefined),
  )

const create = ({ secretKey }: Merchant) =>
  send(`${host.url}/v1/payments/merchant/checkouts`, {
    body: { amount: 50_000 },
    headers: { authorization: `Bearer ${secretKey}`, origin: 'https://pay.example' },
  })

test('refuses reads first, then creates, then pays, and no callback, of 200 of each class at once', async () => {
  const merchants = [await host.merchant(), await host.merchant()] as const
  const [checkoutId = ''] = await openCheckouts(1)
  ledger.hold('createCheckout', 'startIntent', 'storeProviderMessage', 'readCheckout')
  const creates = times(200, (index) => create(merchants[index < 100 ? 0 : 1]))
  const pays = times(200, (index) => pay(checkoutId, index))
  const url = `${host.callbackUrl}/callbacks/${'ab'.repeat(16)}`
  const callbacks = times(200, () => send(url, { body: {}, from: '196.201.214.200' }))
  const taken = {
    create: await untilHeld('createCheckout', creates),
    pay: await untilHeld('startIntent', pays),
    callback: await untilHeld('storeProviderMessage', callbacks),
    read: await untilHeld('readCheckout', await rush(checkoutUrl(checkoutId), 200)),
  }
  ledger.release()
  const replies = await Promise.all([...creates, ...pays, ...callbacks])

  expect(taken).toEqual({ read: 2 * readsAtWork, create: 160, pay: 192, callback: 200 })
  expect(failures(replies)).toEqual([])
  expect(replies.filter(({ headers }) => headers['access-control-allow-origin'])).toEqual([])
})

test('returns 429, and never 503, to an address that reads 140 times at once', async () => {
  const [checkoutId = ''] = await openCheckouts(1)
  const answers = await Promise.all(await rush(checkoutUrl(checkoutId), 140, () => '10.8.0.1'))

  expect(answers.filter((answer) => answer.startsWith('200'))).toHaveLength(120)
  expect(answers.filter((answer) => answer.startsWith('429 1804'))).toHaveLength(20)
})

test('answers reads that find no place when the ledger answers again', async () => {
  const [checkoutId = ''] = await openCheckouts(1)
  ledger.hold('readCheckout')
  const reads = await rush(checkoutUrl(checkoutId), 200)
  await eventually('some are at work', () => ledger.arrived('readCheckout') === readsAtWork)
  ledger.release()

  const answers = await Promise.all(reads)
  expect(answers.filter((answer) => answer !== '200')).toEqual([])
})

test('refuses the last of 500 reads of one address, and answers another address in its turn', async () => {
  const [checkoutId = ''] = await openCheckouts(1)
  const { intentId } = await host.startPayment(checkoutId)
  const url = `${host.url}/v1/payments/public/intents/${intentId}`
  ledger.hold('readIntent')
  const flood = await rush(url, 500, () => '10.7.0.1')
  let answered = 0
  for (const answer of flood) void answer.then((text) => (answered += text === '200' ? 1 : 0))
  await eventually('some are at work', () => ledger.arrived('readIntent') === readsAtWork)
  const other = send(url).then(({ status }) => ({ status, before: answered }))
  // When this POST is answered, the read that was sent before it has arrived. A POST needs no place of a read.
  await send(`${host.url}/nowhere`, { body: {} })
  ledger.release()

  const { status, before } = await other
  expect(status).toBe(200)
  // If all addresses shared one queue, the other address would be answered among the last.
  expect(before).toBeLessThan(200)
  const refused = (await Promise.all(flood)).filter((answer) => answer === '503 2752 1')
  expect(refused.length).toBeGreaterThanOrEqual(500 - readsAtWork - 400)
})

test('returns 503 2752 and Retry-After at once for a pay above the bound of its class', async () => {
  const [checkoutId = ''] = await openCheckouts(1)
  ledger.hold('startIntent')
  const under = times(192, (index) => pay(checkoutId, index))
  expect(await untilHeld('startIntent', under)).toBe(192)
  const above = await Promise.all(times(20, (index) => pay(checkoutId, 192 + index)))
  const arrived = ledger.arrived('startIntent')
  ledger.release()

  expect(tally(above)).toEqual({ '503 2752': 20 })
  expect(above.filter(({ headers }) => headers['retry-after'] !== '1')).toEqual([])
  expect(arrived).toBe(192)
  expect(failures(await Promise.all(under))).toEqual([])
})

test('keeps room for the pays and creates of others in a flood of creates by one account', async () => {
  const [flooding, other] = [await host.merchant(), await host.merchant()]
  const payable = await openCheckouts(10)
  // This request looks the key up, so that the flood finds it in the cache.
  await host.checkout(flooding, { amount: 50_000 })
  ledger.hold('createCheckout')
  const flood = times(300, () => create(flooding))
  const taken = await untilHeld('createCheckout', flood)
  const paid = await Promise.all(payable.map(pay))
  const another = create(other)
  await eventually('it waits, too', () => ledger.arrived('createCheckout') === taken + 1)
  ledger.release()
  const replies = await Promise.all(flood)

  expect(tally(paid)).toEqual({ '202': 10 })
  expect((await another).status).toBe(201)
  // An account's rate limit is below the bound of the class; half a second frees one request.
  expect(taken + (tally(replies)['429 1804'] ?? 0)).toBe(300)
  expect(taken).toBeGreaterThanOrEqual(119)
  expect(taken).toBeLessThan(140)
  expect(failures(replies)).toEqual([])
})

test('returns 503 2752 to 1,600 reads at once, while a checkout is paid by phone and card, and a handle', async () => {
  const { username, ...merchant } = await host.merchant({ cardEnabled: true })
  const payable = await openCheckouts(10)
  const { id: byCard } = await host.checkout({ username, ...merchant }, { amount: 50_000 })
  ledger.hold('readCheckout', 'checkWallet', 'readCardSession')
  const reads = await rush(checkoutUrl(byCard), 1_600)
  const taken = await untilHeld('readCheckout', reads)
  const headers = { 'idempotency-key': byCard }
  const [paid, handle, card] = await Promise.all([
    Promise.all(payable.map(pay)),
    send(`${host.url}/v1/payments/public/checkout`, {
      body: { handle: username, amount: 50_000, phone: anyPhone() },
      headers,
    }),
    send(`${host.url}/v1/payments/public/checkouts/${byCard}/card`, { body: {}, headers }),
  ])
  const answers = await Promise.all(reads)
  ledger.release()

  expect(taken).toBe(2 * readsAtWork)
  expect(answers.filter((answer) => answer !== '503 2752 1')).toEqual([])
  expect(tally([...paid, handle, card])).toEqual({ '202': 12 })
  await eventually('it is read again', async () => {
    const { status } = await send(`${host.url}/v1/payments/public/checkouts/${byCard}`)
    return status === 200
  })
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

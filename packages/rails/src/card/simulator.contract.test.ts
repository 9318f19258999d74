import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fact } from '@malipo/kernel/provider-fact'
import { openLog } from '@malipo/runtime/log'
import { eventually } from '@malipo/testing/eventually'
import { openSimulatorControl, type SimulatorControl } from '@malipo/testing/simulator-control'
import { readConfig } from '../../../../services/simulator/src/config'
import { start } from '../../../../services/simulator/src/start'
import type { CardOrder, CardRail } from '../rail'
import { openCard } from './client'
import { hostedPageUrl } from './hosted-page'
import { readCard, readCardNotification } from './inbound'

/**
 * Checks what the recorded bodies promise against the simulator, a gateway that shares no code with this rail. It does
 * not run at a bank's test gateway, which takes no rules, and whose notifications do not reach this process.
 */

const credentials = {
  ...{ MPESA_CONSUMER_KEY: 'k', MPESA_CONSUMER_SECRET: 's', MPESA_SHORTCODE: '174379' },
  ...{ MPESA_PASSKEY: 'p', CARD_MERCHANT_ID: 'TESTMALIPO', CARD_API_PASSWORD: 'password' },
  CARD_NOTIFICATION_SECRET: 'secret',
}
const intentId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
const notEnrolled = '5111111111111118'
const enrolled = '5123450000000008'

let rail: CardRail
let baseUrl: string
let order: CardOrder
let notified: { readonly body: Buffer; readonly secret: unknown }[]
let simulator: SimulatorControl
let stops: (() => Promise<unknown>)[]

beforeEach(async () => {
  notified = []
  const played = await start(
    readConfig({ ...credentials, PORT: '0', ADMIN_PORT: '0' }),
    openLog('simulator', 'silent'),
  )
  const receiver = await openReceiver()
  stops = [() => played.stop(), receiver.stop]
  baseUrl = `http://127.0.0.1:${String(played.ports['http'])}`
  simulator = openSimulatorControl(baseUrl)
  rail = openCard(
    {
      ...{ baseUrl, version: '100', merchantId: 'TESTMALIPO', apiPassword: 'password' },
      merchantName: 'Malipo Payments',
    },
    {
      now: () => 0,
      wait: () => Promise.resolve(),
      takeTurn: () => Promise.resolve(0),
      countEvent: () => undefined,
    },
  )
  order = {
    ...{ intentId, totalMinor: 155_200n, currency: 'KES', lifeSeconds: 900 },
    returnUrl: 'https://pay.example/c/x/card/y/return',
    notificationUrl: receiver.url,
    payer: { name: 'Amina W Kamau', email: 'amina@example.com' },
  }
})

afterEach(async () => {
  for (const stop of stops) await stop()
})

test('a payer pays by card, and the browser returns with the success indicator of the session', async () => {
  const session = await opened()
  expect(await statusFact()).toMatchObject({ kind: 'not_found', providerCode: 'ORDER_NOT_FOUND' })
  const location = await pay(session.sessionId, '01/39')
  expect(new URL(location ?? '').searchParams.get('resultIndicator')).toBe(session.successIndicator)
  expect(await statusFact()).toMatchObject({
    ...{ kind: 'confirmed', receipt: `${intentId}-1`, amountMinor: 155_200n },
    providerRequestId: intentId,
  })
})

test.each([
  ['05/39', { kind: 'declined', cause: 'card_declined' }],
  ['04/27', { kind: 'declined', cause: 'card_expired' }],
  ['08/28', { kind: 'undecided', listed: true }],
  ['01/37', { kind: 'declined', cause: 'busy' }],
  ['02/37', { kind: 'declined', cause: 'refused' }],
  ['05/37', { kind: 'undecided', listed: true }],
])('reads the outcome of a card that expires %s', async (expiry, fact) => {
  const { sessionId } = await opened()
  expect(await pay(sessionId, expiry)).toBeUndefined()
  expect(await statusFact()).toMatchObject(fact)
})

test('a notification names our intent, and what we store of it has no data of the payer', async () => {
  const { sessionId } = await opened()
  await pay(sessionId, '01/39')
  await eventually('the notification', () => notified.length === 1)
  const kept = readCardNotification(notified[0]?.body ?? Buffer.of())
  expect(kept?.intentId).toBe(intentId)
  expect(kept?.body.toString()).not.toMatch(/511111|amina/i)
  expect(readCard('callback', kept?.body ?? Buffer.of()).kind).toBe('confirmed')
})

test('fails: a rule has 3-D Secure fail whatever the customer answers, and it is declined', async () => {
  await simulator.addRule({ on: 'challenge', effect: { kind: 'fails' } })
  const { sessionId } = await opened()
  await pay(sessionId, '01/39', enrolled)
  const body = new URLSearchParams({ answer: 'yes' })
  await fetch(`${baseUrl}/checkout/3ds/${sessionId}`, { method: 'POST', redirect: 'manual', body })
  expect(await statusFact()).toMatchObject({ kind: 'declined' })
})

test('wrong_secret: a forged notification lacks the shared secret', async () => {
  await simulator.addRule({ on: 'callback', effect: { kind: 'wrong_secret' }, times: 1 })
  const { sessionId } = await opened()
  await pay(sessionId, '01/39', enrolled)
  const body = new URLSearchParams({ answer: 'yes' })
  await fetch(`${baseUrl}/checkout/3ds/${sessionId}`, { method: 'POST', redirect: 'manual', body })
  await eventually('both notifications', () => notified.length === 2)
  expect(notified.filter(({ secret }) => secret !== 'secret')).toHaveLength(1)
  expect(await statusFact()).toMatchObject({ kind: 'confirmed' })
})

test('another password is refused', async () => {
  const wrong = openCard(
    {
      ...{ baseUrl, version: '100', merchantId: 'TESTMALIPO', apiPassword: 'guessed' },
      merchantName: 'M',
    },
    {
      now: () => 0,
      wait: () => Promise.resolve(),
      takeTurn: () => Promise.resolve(0),
      countEvent: () => undefined,
    },
  )
  expect(await wrong.openSession(order)).toMatchObject({ kind: 'refused' })
  expect(await wrong.askStatus(intentId)).toMatchObject({ kind: 'unanswered' })
})

async function opened() {
  const outcome = await rail.openSession(order)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  return outcome
}

async function statusFact(): Promise<Fact> {
  const fetched = await rail.askStatus(intentId)
  if (fetched.kind !== 'answered') throw new Error(fetched.detail)
  return readCard('query_answer', fetched.bodies[0] ?? Buffer.of())
}

async function pay(
  sessionId: string,
  expiry: string,
  number = notEnrolled,
): Promise<string | undefined> {
  const [month = '', year = ''] = expiry.split('/')
  const form = { number, month, year, csc: '100', name: 'AMINA W KAMAU' }
  const url = hostedPageUrl(baseUrl, sessionId)
  const response = await fetch(url, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams(form),
  })
  return response.headers.get('location') ?? undefined
}

async function openReceiver() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const secret = request.headers['x-notification-secret']
      notified.push({ body: Buffer.concat(chunks), secret })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/callbacks/card`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

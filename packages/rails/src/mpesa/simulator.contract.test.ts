import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { eventually } from '@malipo/testing/eventually'
import { readConfig } from '../../../../services/simulator/src/config'
import { start } from '../../../../services/simulator/src/start'
import type { Fact, MessageKind, Rail } from '../rail'
import { openMpesa } from './client'
import { readMpesa } from './inbound'

/**
 * What the recorded bodies promise, asked of a Daraja that shares no code with this rail. Pointing `baseUrl` and the
 * credentials at Safaricom's sandbox asks the real one; only the phones are then somebody's hand.
 */

const amina = '254708374149'
const brian = '254712345678'
const attemptReference = 'A1B2C3D4E5F6'
const credentials = {
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}

let rail: Rail
let baseUrl: string
let callbackUrl: string
let callbacks: Buffer[]
let happened: string[]
let stops: (() => Promise<unknown>)[]

beforeEach(async () => {
  callbacks = []
  happened = []
  const simulator = await start(
    readConfig({ ...credentials, PORT: '0', ADMIN_PORT: '0' }),
    openLog('simulator', 'silent'),
  )
  const receiver = await openReceiver()
  stops = [() => simulator.stop(), receiver.stop]
  baseUrl = `http://127.0.0.1:${String(simulator.ports['http'])}`
  callbackUrl = receiver.url
  rail = openRail()
})

afterEach(async () => {
  for (const stop of stops) await stop()
})

test('a prompt rings the phone with our amount and reference', async () => {
  await submit({ amountMinor: 15_050n })
  expect(await control('GET', `/phones/${amina}`)).toMatchObject({
    prompt: { amount: '15050', business: '174379', account: attemptReference },
  })
})

test('what the payer approves is a fact with the receipt of the book, and the statement has it too', async () => {
  const providerRequestId = await submit({ amountMinor: 15_050n })
  await answer('approve')
  const [booked] = (await control('GET', '/book')) as { receipt: string; amount: string }[]
  const fact = await calledBack()
  expect(fact).toMatchObject({
    kind: 'confirmed',
    receipt: booked?.receipt,
    amountMinor: 15_050n,
    providerRequestId,
  })
  expect(await asked(providerRequestId)).toEqual({ kind: 'confirmed', providerRequestId })
  const found = await rail.findInStatement({
    attemptReference,
    submittedAt: new Date(systemClock.now()),
  })
  expect(factOf('statement_row', found)).toMatchObject({
    kind: 'confirmed',
    receipt: booked?.receipt,
    amountMinor: 15_050n,
  })
})

test.each([
  ['cancel', 'cancelled'],
  ['wrong_pin', 'wrong_pin'],
  ['no_funds', 'no_funds'],
])('%s is declined as %s, by callback and by query', async (action, cause) => {
  const providerRequestId = await submit()
  await answer(action)
  expect(await calledBack()).toMatchObject({ kind: 'declined', cause, providerRequestId })
  expect(await asked(providerRequestId)).toMatchObject({ kind: 'declined', cause })
})

test('an unanswered prompt is undecided while it rings, and declined after it', async () => {
  const providerRequestId = await submit()
  // Both ways of saying "still processing" come up, so it is asked a few times.
  for (let time = 0; time < 6; time += 1) {
    expect(await asked(providerRequestId)).toMatchObject({ kind: 'undecided', listed: true })
  }
  await control('POST', '/clock', { jump_ms: 180_000 })
  expect(await calledBack()).toMatchObject({ kind: 'declined' })
})

test.each<[string, Partial<typeof credentials>, object]>([
  ['a wrong passkey is refused', { MPESA_PASSKEY: 'wrong' }, { kind: 'refused', cause: 'refused' }],
  [
    'wrong consumer credentials send nothing',
    { MPESA_CONSUMER_SECRET: 'wrong' },
    { kind: 'not_sent' },
  ],
])('%s', async (_, wrong, outcome) => {
  expect(await openRail(wrong).submit(prompt())).toMatchObject(outcome)
})

test('a number of nobody is refused as not registered', async () => {
  expect(await rail.submit({ ...prompt(), phone: '254799999999' })).toMatchObject({
    kind: 'refused',
    cause: 'not_registered',
  })
})

test('a second prompt on a phone that rings is refused as session open', async () => {
  await submit()
  expect(await rail.submit(prompt())).toMatchObject({ kind: 'refused', cause: 'session_open' })
})

test('a token that Daraja has forgotten is replaced, and the phone rings once', async () => {
  await submit()
  await control('POST', '/reset', {})
  await submit()
  expect(happened).toEqual(['provider_token_refused'])
})

test('a rate limit makes prompts wait in line, and all of them ring', async () => {
  await control('POST', '/rules', {
    on: 'push',
    effect: { kind: 'error', error: 'spike_arrest' },
    times: 2,
  })
  const outcomes = await Promise.all(
    [amina, brian].map((phone) => rail.submit({ ...prompt(), phone })),
  )
  expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
  expect(happened).toEqual(['provider_throttled', 'provider_throttled'])
})

test.each([
  ['a reset connection', { kind: 'reset' }],
  ['a body that is cut off', { kind: 'malformed' }],
  ['an opaque 500', { kind: 'error', error: 'opaque_500', performed: true }],
  ['a firewall', { kind: 'error', error: 'firewall' }],
  ['an internal error', { kind: 'error', error: 'internal', performed: true }],
])(
  'after %s nobody knows whether the phone rings, and it is not asked again',
  async (_, effect) => {
    await control('POST', '/rules', { on: 'push', effect })
    expect(await rail.submit(prompt())).toMatchObject({ kind: 'unknown' })
    expect(await control('GET', '/rules')).toMatchObject([{ applied: 1 }])
  },
)

test.each(['empty_400', 'firewall', 'invalid_authentication'])(
  'without a token (%s) nothing is sent',
  async (error) => {
    await control('POST', '/rules', { on: 'token', effect: { kind: 'error', error } })
    expect(await rail.submit(prompt())).toMatchObject({ kind: 'not_sent' })
  },
)

function openRail(wrong: Partial<typeof credentials> = {}): Rail {
  const used = { ...credentials, ...wrong }
  return openMpesa(
    {
      baseUrl,
      consumerKey: used.MPESA_CONSUMER_KEY,
      consumerSecret: used.MPESA_CONSUMER_SECRET,
      shortcode: used.MPESA_SHORTCODE,
      passkey: used.MPESA_PASSKEY,
    },
    {
      now: () => systemClock.now(),
      wait: () => Promise.resolve(),
      happened: (name) => happened.push(name),
    },
  )
}

function prompt() {
  const intentId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
  return { intentId, phone: amina, amountMinor: 100n, attemptReference, callbackUrl }
}

async function submit(changes: { amountMinor?: bigint } = {}): Promise<string> {
  const outcome = await rail.submit({ ...prompt(), ...changes })
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
  return outcome.providerRequestId
}

const answer = async (action: string) => {
  await control('POST', `/phones/${amina}/prompt`, { action })
  // A callback takes its time, and the network before it.
  await control('POST', '/clock', { jump_ms: 30_000 })
}

async function calledBack(): Promise<Fact> {
  const body = await eventually('the callback comes', () => callbacks.at(-1))
  return readMpesa('callback', body)
}

async function asked(providerRequestId: string): Promise<Fact> {
  return factOf('query_answer', await rail.askStatus(providerRequestId))
}

function factOf(kind: MessageKind, fetched: Awaited<ReturnType<Rail['askStatus']>>): Fact {
  if (fetched.kind !== 'answered') throw new Error(fetched.detail)
  const [body] = fetched.bodies
  if (body === undefined) throw new Error('no body')
  return readMpesa(kind, body)
}

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}/sim/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`)
  return response.json()
}

async function openReceiver(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      callbacks.push(Buffer.concat(chunks))
      response.end('{"ResultCode":0,"ResultDesc":"Accepted"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/callbacks/a`,
    stop,
  }
}

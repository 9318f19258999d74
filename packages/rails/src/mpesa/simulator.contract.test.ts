import { systemClock } from '@malipo/runtime/clock'
import {
  amina,
  attemptReference,
  brian,
  factOf,
  playDaraja,
  type credentials,
  type Played,
} from './simulator.harness'

/**
 * Checks what the recorded bodies promise against the simulator, a Daraja that shares no code with this rail. It does
 * not run at Safaricom's sandbox, which takes no rules, and has no phones and no book that a test can read.
 */

let daraja: Played
beforeEach(async () => {
  daraja = await playDaraja()
})
afterEach(() => daraja.stop())

test('a prompt comes to the phone with our amount and reference', async () => {
  await daraja.submit({ amountMinor: 15_050n })
  expect(await daraja.simulator.phone(amina)).toMatchObject({
    prompt: { amount: '15050', business: '174379', account: attemptReference },
  })
})

test('what the payer approves is a fact with the receipt of the book, and the statement has it too', async () => {
  const providerRequestId = await daraja.submit({ amountMinor: 15_050n })
  await daraja.answer('approve')
  const [booked] = await daraja.simulator.book()
  const fact = await daraja.calledBack()
  expect(fact).toMatchObject({
    kind: 'confirmed',
    receipt: booked?.receipt,
    amountMinor: 15_050n,
    providerRequestId,
  })
  expect(await daraja.statusOf(providerRequestId)).toEqual({ kind: 'confirmed', providerRequestId })
  const found = await daraja.rail.findInStatement({
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
] as const)('%s is declined as %s, by callback and by query', async (action, cause) => {
  const providerRequestId = await daraja.submit()
  await daraja.answer(action)
  expect(await daraja.calledBack()).toMatchObject({ kind: 'declined', cause, providerRequestId })
  expect(await daraja.statusOf(providerRequestId)).toMatchObject({ kind: 'declined', cause })
})

test('an unanswered prompt is undecided while it is open, and declined after it', async () => {
  const providerRequestId = await daraja.submit()
  // The simulator has two ways of saying "still processing", so several queries are made.
  for (let time = 0; time < 6; time += 1) {
    expect(await daraja.statusOf(providerRequestId)).toMatchObject({
      kind: 'undecided',
      listed: true,
    })
  }
  await daraja.simulator.jump(180_000)
  expect(await daraja.calledBack()).toMatchObject({ kind: 'declined' })
})

test.each<[string, Partial<typeof credentials>, object]>([
  ['a wrong passkey is refused', { MPESA_PASSKEY: 'wrong' }, { kind: 'refused', cause: 'refused' }],
  [
    'wrong consumer credentials send nothing',
    { MPESA_CONSUMER_SECRET: 'wrong' },
    { kind: 'not_sent' },
  ],
])('%s', async (_, wrong, outcome) => {
  expect(await daraja.openRail(wrong).submit(daraja.prompt)).toMatchObject(outcome)
})

test('a number without a phone is refused as not registered', async () => {
  expect(await daraja.rail.submit({ ...daraja.prompt, phone: '254799999999' })).toMatchObject({
    kind: 'refused',
    cause: 'not_registered',
  })
})

test('a second prompt on a phone with an open one is refused as session open', async () => {
  await daraja.submit()
  expect(await daraja.rail.submit(daraja.prompt)).toMatchObject({
    kind: 'refused',
    cause: 'session_open',
  })
})

test('a token that Daraja has forgotten is replaced, and the payer is prompted once', async () => {
  await daraja.submit()
  await daraja.simulator.reset()
  await daraja.submit()
  expect(daraja.events).toEqual(['provider_token_refused'])
})

test.each([
  ['Daraja', 'spike_arrest'],
  ['the gateway in front of it', 'gateway_spike_arrest'],
])('a rate limit of %s makes prompts wait in line, and all of them come', async (_, error) => {
  await daraja.addRule({ on: 'push', effect: { kind: 'error', error }, times: 2 })
  const outcomes = await Promise.all(
    [amina, brian].map((phone) => daraja.rail.submit({ ...daraja.prompt, phone })),
  )
  expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
  expect(daraja.events).toEqual(['provider_throttled', 'provider_throttled'])
})

test.each([
  ['a reset connection', { kind: 'reset' }],
  ['a body that is cut off', { kind: 'malformed' }],
  ['an opaque 500', { kind: 'error', error: 'opaque_500', performed: true }],
  ['a firewall', { kind: 'error', error: 'firewall' }],
  ['an internal error', { kind: 'error', error: 'internal', performed: true }],
] as const)('after %s the prompt is unknown, and is not sent again', async (_, effect) => {
  await daraja.addRule({ on: 'push', effect })
  expect(await daraja.rail.submit(daraja.prompt)).toMatchObject({ kind: 'unknown' })
  expect(await daraja.simulator.rules()).toMatchObject([{ applied: 1 }])
})

test.each(['empty_400', 'firewall', 'invalid_authentication'])(
  'without a token (%s) nothing is sent',
  async (error) => {
    await daraja.addRule({ on: 'token', effect: { kind: 'error', error } })
    expect(await daraja.rail.submit(daraja.prompt)).toMatchObject({ kind: 'not_sent' })
  },
)

describe('the QR code of the M-PESA app', () => {
  const wanted = {
    payeeName: 'Mama Mboga Fresh',
    accountNumber: 'CS12345674',
    amountMinor: 50_000n,
  }

  test('is a picture that a phone pays by', async () => {
    const drawn = await daraja.rail.drawQr?.(wanted)
    if (drawn?.kind !== 'drawn') throw new Error(drawn?.detail)
    const receipt = await daraja.simulator.scan(amina, drawn.png.toString('base64'))
    expect(await daraja.simulator.book()).toMatchObject([
      { receipt, account: 'CS12345674', amount: '50000' },
    ])
  })

  test.each([
    ['an error', { kind: 'error', error: 'internal' }],
    ['half an answer', { kind: 'malformed' }],
    ['nothing', { kind: 'reset' }],
  ] as const)('is none where the provider answers %s', async (_what, effect) => {
    await daraja.addRule({ on: 'qr', effect })
    expect(await daraja.rail.drawQr?.(wanted)).toMatchObject({ kind: 'unavailable' })
  })
})

import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import type { Effect } from '@malipo/testing/simulator-shapes'
import { readMpesa } from './inbound'
import {
  amina,
  attemptReference,
  brian,
  factOf,
  playDaraja,
  shortCode,
  type Played,
} from './simulator.harness'

/** Plays rules of the simulator through the rail that our workers use; `rule-kinds.test.ts` has the file of each. */

let daraja: Played
beforeEach(async () => {
  daraja = await playDaraja()
})
afterEach(() => daraja.stop())

const jump = (ms: number) => daraja.simulator.jump(ms)
const applied = async () => {
  const { met } = await daraja.simulator.expect({ kind: 'rule_applied' })
  expect(met).toBe(true)
}
const callbacks = (count: number) =>
  eventually('the callbacks', () => daraja.received.length >= count && daraja.received)
const approve = () => daraja.answer('approve')
const onCallback = (effect: Effect) => daraja.addRule({ on: 'callback', effect })

test('delay: the rail waits for a late answer', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'delay', ms: 60_000 } })
  const submitted = daraja.rail.submit(daraja.prompt)
  await applied()
  await jump(60_000)
  expect(await submitted).toMatchObject({ kind: 'accepted' })
})

test('drip: an answer that comes a little at a time is an answer', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'drip', ms: 40 } })
  expect(await daraja.rail.submit(daraja.prompt)).toMatchObject({ kind: 'accepted' })
})

test('drop: an answer that never comes leaves the payment unknown, and the payer is prompted once', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'drop' } })
  const submitted = daraja.rail.submit(daraja.prompt)
  await applied()
  const phone = await daraja.simulator.phone(amina)
  expect(phone).toMatchObject({ prompt: { account: attemptReference } })
  // The provider is stopped, because the rail would wait for its whole deadline.
  await daraja.stopSimulator()
  expect(await submitted).toMatchObject({ kind: 'unknown' })
})

test('drop: a callback that never comes is made up for by the query and the statement', async () => {
  await onCallback({ kind: 'drop' })
  const providerRequestId = await daraja.submit()
  await approve()
  expect(await daraja.statusOf(providerRequestId)).toMatchObject({ kind: 'confirmed' })
  const search = { attemptReference, submittedAt: new Date(systemClock.now()) }
  const found = factOf('statement_row', await daraja.rail.findInStatement(search))
  expect(found).toMatchObject({ kind: 'confirmed', amountMinor: 100n })
  expect(daraja.received).toEqual([])
})

test('reset: a connection that breaks after the push leaves the payment unknown', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'reset' } })
  expect(await daraja.rail.submit(daraja.prompt)).toMatchObject({ kind: 'unknown' })
})

test('malformed: half an answer leaves the payment unknown, half a callback is unreadable', async () => {
  await daraja.addRule({ on: 'push', when: { msisdn: brian }, effect: { kind: 'malformed' } })
  expect(await daraja.rail.submit({ ...daraja.prompt, phone: brian })).toMatchObject({
    kind: 'unknown',
  })
  await onCallback({ kind: 'malformed' })
  await daraja.submit()
  await approve()
  expect(await daraja.calledBack()).toMatchObject({ kind: 'unreadable' })
})

test('error: a token that expires between two calls is replaced once, and the payer is prompted once', async () => {
  const effect = { kind: 'error', error: 'invalid_token' } as const
  await daraja.addRule({ on: 'push', effect, times: 1 })
  await daraja.submit()
  expect(daraja.events).toEqual(['provider_token_refused'])
})

test('limit: the rail waits in line above the limit of calls a second', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'limit', per_second: 0 }, times: 1 })
  await daraja.submit()
  expect(daraja.events).toEqual(['provider_throttled'])
})

test('early: the callback is there before the answer to the push', async () => {
  await daraja.addRule({ on: 'push', effect: { kind: 'early' } })
  let isAnswered = false
  const submitted = daraja.rail.submit(daraja.prompt).finally(() => {
    isAnswered = true
  })
  await applied()
  expect(isAnswered).toBe(false)
  await approve()
  const fact = await daraja.calledBack()
  const outcome = await submitted
  expect(outcome.kind === 'accepted' && outcome.providerRequestId).toBe(
    fact.kind === 'confirmed' && fact.providerRequestId,
  )
})

test('lie: a query declines a payment that the callback confirms', async () => {
  await daraja.addRule({ on: 'query', effect: { kind: 'lie', code: '1032' } })
  const providerRequestId = await daraja.submit()
  await approve()
  expect(await daraja.calledBack()).toMatchObject({ kind: 'confirmed' })
  expect(await daraja.statusOf(providerRequestId)).toMatchObject({ kind: 'declined' })
})

test('answer: the payer reacts as the rule demands', async () => {
  const effect = { kind: 'answer', answer: 'wrong_pin', after_ms: 2_000 } as const
  await daraja.addRule({ on: 'prompt', effect })
  await daraja.submit()
  await jump(2_000)
  expect(await daraja.calledBack()).toMatchObject({ kind: 'declined', cause: 'wrong_pin' })
})

test('duplicate: a callback that comes three times says the same three times', async () => {
  await onCallback({ kind: 'duplicate', copies: 3 })
  await daraja.submit()
  await approve()
  const facts = (await callbacks(3)).map(({ body }) => readMpesa('callback', body))
  expect(facts).toEqual([facts[0], facts[0], facts[0]])
})

test('reorder: the callback of the second payment comes before that of the first', async () => {
  await onCallback({ kind: 'reorder' })
  const first = await daraja.submit()
  await daraja.simulator.answer(amina, 'approve')
  const second = await daraja.submit({ phone: brian })
  await daraja.simulator.answer(brian, 'approve')
  const received = (await callbacks(2)).map(({ body }) => readMpesa('callback', body))
  expect(received).toMatchObject([{ providerRequestId: second }, { providerRequestId: first }])
})

test('reorder: a callback that was kept back is sent even if no other follows', async () => {
  await onCallback({ kind: 'reorder' })
  await daraja.submit()
  await approve()
  expect(await daraja.calledBack()).toMatchObject({ kind: 'confirmed' })
})

test('amount: the callback names another amount than was paid', async () => {
  await onCallback({ kind: 'amount', amount: '99900' })
  await daraja.submit()
  await approve()
  expect(await daraja.calledBack()).toMatchObject({ kind: 'confirmed', amountMinor: 99_900n })
})

test.each([
  ['a loopback address', '127.0.0.2', { from: '127.0.0.2' }],
  ['any other', '203.0.113.7', { headers: { 'x-forwarded-for': '203.0.113.7' } }],
])('source: the callback comes from %s', async (_, address, expected) => {
  await onCallback({ kind: 'source', address })
  await daraja.submit()
  await approve()
  expect((await callbacks(1))[0]).toMatchObject(expected)
})

test('drip: a slow callback has the same content', async () => {
  await onCallback({ kind: 'drip', ms: 40 })
  await daraja.submit()
  await approve()
  expect(await daraja.calledBack()).toMatchObject({ kind: 'confirmed' })
})

describe('with addresses for Pay Bill', () => {
  beforeEach(async () => {
    const { callbackUrl } = daraja.prompt
    const urls = { validationUrl: `${callbackUrl}/before`, confirmationUrl: `${callbackUrl}/after` }
    expect(await daraja.rail.payBill?.register(urls)).toEqual({ kind: 'registered' })
  })

  const reportedKinds = () =>
    daraja.received.map(({ body }) => (body.includes('stkCallback') ? 'prompt' : 'pay bill'))

  test('echo: a payment by prompt is confirmed as a Pay Bill payment too, with one receipt', async () => {
    await onCallback({ kind: 'echo' })
    await daraja.submit()
    await approve()
    await callbacks(2)
    expect(reportedKinds().sort()).toEqual(['pay bill', 'prompt'])
    const [booked, ...others] = await daraja.simulator.book()
    expect(others).toEqual([])
    for (const { body } of daraja.received) expect(body.toString()).toContain(booked?.receipt)
  })

  test('pay_bill: half the amount is confirmed as paid from the menu, under the reference of the prompt', async () => {
    await daraja.addRule({ on: 'prompt', effect: { kind: 'pay_bill', percent: 50 } })
    await daraja.submit({ amountMinor: 1_000n })
    await jump(0)
    const [, after] = await callbacks(2)
    expect(JSON.parse(String(after?.body))).toMatchObject({
      BusinessShortCode: shortCode,
      BillRefNumber: attemptReference,
      TransAmount: expect.stringMatching(/^5(?:\.00)?$/),
    })
  })
})

test('a rule matches phone, amount and account, skips, counts, and lives for its time', async () => {
  const effect = { kind: 'error', error: 'internal' } as const
  const outcome = async (changes: object) =>
    (await daraja.rail.submit({ ...daraja.prompt, ...changes })).kind
  await daraja.addRule({ on: 'push', when: { msisdn: brian, amount: '700' }, effect, times: 1 })
  expect(await outcome({ phone: brian })).toBe('accepted')
  await daraja.simulator.answer(brian, 'cancel')
  expect(await outcome({ phone: brian, amountMinor: 700n })).toBe('unknown')
  expect(await outcome({ phone: brian, amountMinor: 700n })).toBe('accepted')
  await daraja.addRule({ on: 'push', effect, from_ms: 60_000, until_ms: 120_000 })
  await daraja.addRule({ on: 'push', effect, probability: 0 })
  expect(await outcome({})).toBe('accepted')
  await jump(61_000)
  expect(await outcome({})).toBe('unknown')
  await jump(60_000)
  expect(await outcome({})).toBe('accepted')
})

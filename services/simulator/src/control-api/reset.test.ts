import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

/** Makes two payments, and returns all answers and the book. */
async function run(): Promise<unknown> {
  const answers: unknown[] = []
  for (const Amount of ['1', '2']) {
    const push = await sim.push({ Amount })
    answers.push(push.body, (await sim.query(push.body.CheckoutRequestID)).body)
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  }
  return [answers, (await sim.control('GET', '/book')).body]
}

test('restores the initial state: phones, book, rules, clock', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { balance: '1' })
  await sim.control('POST', '/rules', { on: 'push', effect: { kind: 'early' } })
  await sim.control('POST', '/clock', { paused: true, jump_ms: 1_000 })
  expect((await sim.control('POST', '/reset', { seed: 'again' })).body).toEqual({ seed: 'again' })
  const { body } = await sim.control('GET', '/meta')
  expect(body).toMatchObject({
    seed: 'again',
    rules: 0,
    book: { rows: 0 },
    clock: { paused: false, now: '2026-11-20T11:25:01.373Z', waiting: 0 },
  })
  expect((await sim.control('GET', `/phones/${amina}`)).body.balance).toBe('5000000')
})

test('repeats ids, receipts and answers with one seed', async () => {
  await sim.control('POST', '/reset', { seed: 'again' })
  const first = await run()
  await sim.control('POST', '/reset', { seed: 'again' })
  expect(await run()).toEqual(first)
})

test('starts a different simulation each time without a seed', async () => {
  const { body: one } = await sim.control('POST', '/reset', {})
  const { body: other } = await sim.control('POST', '/reset')
  expect(other.seed).not.toBe(one.seed)
})

test('a reset drops open prompts, which never end in the new simulation', async () => {
  await sim.push()
  await sim.control('POST', '/reset', {})
  await sim.jump(60_000)
  const { body } = await sim.control('GET', '/events')
  expect(body).toMatchObject([{ kind: 'reset' }, { kind: 'clock_changed' }])
})

test('continues event ids, so a listener keeps its position', async () => {
  await sim.token()
  expect((await sim.control('GET', '/meta')).body.last_event).toBe(1 + 2)
  await sim.control('POST', '/reset', {})
  expect((await sim.control('GET', '/meta')).body.last_event).toBe(1 + 2 + 1)
})

test('refuses a seed with spaces', async () => {
  expect((await sim.control('POST', '/reset', { seed: 'a b' })).status).toBe(400)
})

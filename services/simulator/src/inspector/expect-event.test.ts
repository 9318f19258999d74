import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

const expectation = (body: object) => sim.control('POST', '/expect', body)

test('an expectation is met at once by a past event', async () => {
  await sim.push()
  const { body } = await expectation({ kind: 'prompt_opened', facts: { msisdn: amina } })
  expect(body).toMatchObject({ met: true, events: [{ kind: 'prompt_opened' }], near: [] })
})

test('an expectation is met by an event during the wait', async () => {
  const waiting = expectation({ kind: 'token_issued', count: 2 })
  await sim.token()
  await sim.token()
  expect((await waiting).body).toMatchObject({ met: true, events: [{}, {}] })
})

test('an unmet expectation returns the nearest misses', async () => {
  await sim.push()
  const facts = { msisdn: amina, amount: '1' }
  const { body } = await expectation({ kind: 'prompt_opened', facts, within_ms: 10 })
  expect(body).toMatchObject({ met: false, events: [], near: [{ facts: { amount: '15050' } }] })
})

test('an unmet expectation returns the nearest misses that came during its wait', async () => {
  const facts = { msisdn: amina, amount: '1' }
  const waiting = expectation({ kind: 'prompt_opened', facts, within_ms: 2_000 })
  await sim.push()
  expect((await waiting).body).toMatchObject({
    met: false,
    events: [],
    near: [{ facts: { amount: '15050' } }],
  })
})

test('an expectation ignores events before its start', async () => {
  await sim.token()
  const { body } = await expectation({ kind: 'token_issued', since: 2, within_ms: 10 })
  expect(body).toMatchObject({ met: false, events: [] })
})

test('an expectation of an unknown kind is refused', async () => {
  expect((await expectation({ kind: 'moon_landed' })).status).toBe(400)
})

import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

test('a rule is returned as it was given, with its counts', async () => {
  const given = {
    on: 'callback',
    when: { msisdn: '254708374149', amount: '100', business: '174379', account: 'A1' },
    effect: { kind: 'duplicate', copies: 3, every_ms: 500 },
    probability: 0.5,
    skip: 1,
    times: 2,
    from_ms: 10,
    until_ms: 1_000,
  }
  const { status, body } = await sim.control('POST', '/rules', given)
  const shown = { ...given, id: 'rule_1', pack: null, matched: 0, applied: 0 }
  expect({ status, body }).toEqual({ status: 201, body: shown })
  expect((await sim.control('GET', '/rules')).body).toEqual([shown])
})

test('a rule counts its matches and applications', async () => {
  await sim.control('POST', '/rules', { on: 'push', effect: { kind: 'early' }, skip: 5 })
  await sim.push()
  const [rule] = (await sim.control('GET', '/rules')).body
  expect(rule).toMatchObject({ matched: 1, applied: 0, times: null, until_ms: null })
})

test.each([
  { kind: 'delay', ms: 5 },
  { kind: 'limit', per_second: 5 },
  { kind: 'error', error: 'internal', performed: false },
  { kind: 'drop', performed: true },
])('effect %o is returned unchanged', async (effect) => {
  expect((await sim.control('POST', '/rules', { on: 'push', effect })).body.effect).toEqual(effect)
})

test.each([
  [{ kind: 'answer', answer: 'cancel', after_ms: 0 }, 'prompt'],
  [{ kind: 'amount', amount: '100' }, 'callback'],
])('effect %o is returned unchanged', async (effect, on) => {
  expect((await sim.control('POST', '/rules', { on, effect })).body.effect).toEqual(effect)
})

test.each([
  [{ on: 'lunch', effect: { kind: 'drop' } }, 'body.on'],
  [{ on: 'push', effect: { kind: 'sing' } }, 'body.effect.kind'],
  [{ on: 'push', effect: { kind: 'duplicate', copies: 2 } }, 'body.effect.kind'],
  [{ on: 'prompt', effect: { kind: 'drop' } }, 'body.effect.kind'],
  [{ on: 'push', effect: { kind: 'drop' }, probability: 2 }, 'body.probability'],
  [{ on: 'push', effect: { kind: 'drop' }, when: { colour: 'red' } }, 'body.when'],
])('%o is refused and names %s', async (body, named) => {
  const answer = await sim.control('POST', '/rules', body)
  expect(answer.status).toBe(400)
  expect(answer.body.problems[0].path).toBe(named)
})

test('an unknown error is refused with the list of known ones', async () => {
  const effect = { kind: 'error', error: 'sunburn' }
  const { status, body } = await sim.control('POST', '/rules', { on: 'push', effect })
  expect(status).toBe(400)
  expect(body.error).toBe('unknown_error')
  expect(body.problems[0].message).toContain('spike_arrest')
})

test('a removed rule is gone, and removing it again returns 404', async () => {
  await sim.control('POST', '/rules', { on: 'push', effect: { kind: 'early' } })
  expect((await sim.control('DELETE', '/rules/rule_1')).status).toBe(200)
  expect((await sim.control('DELETE', '/rules/rule_1')).status).toBe(404)
  expect((await sim.control('GET', '/rules')).body).toEqual([])
})

test('rules beyond two hundred are refused with 409', async () => {
  const rule = { on: 'push', effect: { kind: 'early' } }
  for (let made = 0; made < 200; made += 1) await sim.control('POST', '/rules', rule)
  const { status, body } = await sim.control('POST', '/rules', rule)
  expect({ status, body }).toMatchObject({ status: 409, body: { error: 'rules_full' } })
})

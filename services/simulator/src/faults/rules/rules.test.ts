import type { Effect, Facets, NewRule } from './rule'
import { openRules } from './rules'

const payer: Facets = {
  msisdn: '254708374149',
  amountMinor: 100n,
  business: '174379',
  account: 'A1',
}
const drop: Effect = { kind: 'drop', performed: true }

const rule = (changes: Partial<NewRule> = {}): NewRule => ({
  on: 'callback',
  when: {},
  effect: drop,
  probability: 1,
  skip: 0,
  times: Infinity,
  fromMs: 0,
  untilMs: Infinity,
  ...changes,
})

/** How often the rule applies in this many calls of the payer, one a second. */
function applications(changes: Partial<NewRule>, calls: number, seed = 'test'): number {
  const rules = openRules(seed)
  rules.add(rule(changes), 0)
  return Array.from({ length: calls }, (_, second) =>
    rules.effects('callback', payer, second * 1_000),
  ).flat().length
}

test('a rule applies at its own moment only', () => {
  const rules = openRules('test')
  rules.add(rule(), 0)
  expect(rules.effects('push', payer, 0)).toEqual([])
  expect(rules.effects('callback', payer, 0)).toEqual([{ rule: 'rule_1', effect: drop }])
})

test.each([
  [{ msisdn: '254708374149' }, 1],
  [{ msisdn: '254712345678' }, 0],
  [{ amountMinor: 100n }, 1],
  [{ amountMinor: 101n }, 0],
  [{ business: '174379' }, 1],
  [{ business: '600000' }, 0],
  [{ account: 'A1' }, 1],
  [{ account: 'A2' }, 0],
  [{ msisdn: '254708374149', amountMinor: 101n }, 0],
])('a rule with the facets %o applies %i times to one call', (when, times) => {
  expect(applications({ when }, 1)).toBe(times)
})

test('a rule skips some matches, and then applies a limited number of times', () => {
  expect(applications({ skip: 2, times: 3 }, 10)).toBe(3)
  expect(applications({ skip: 9 }, 10)).toBe(1)
})

test('a rule is active in a window of virtual time', () => {
  expect(applications({ fromMs: 2_000, untilMs: 5_000 }, 10)).toBe(3)
})

test('a rule with a chance applies about that often, and the same each time for one seed', () => {
  const applied = applications({ probability: 0.3 }, 1_000)
  expect(applied).toBeGreaterThan(250)
  expect(applied).toBeLessThan(350)
  expect(applications({ probability: 0.3 }, 1_000)).toBe(applied)
  expect(applications({ probability: 0.3 }, 1_000, 'other')).not.toBe(applied)
  expect(applications({ probability: 0 }, 100)).toBe(0)
})

test('a rule of kind limit applies to the calls of a second that exceed its number', () => {
  const rules = openRules('test')
  rules.add(rule({ on: 'push', effect: { kind: 'limit', perSecond: 2 } }), 0)
  const at = (nowMs: number) => rules.effects('push', payer, nowMs).length
  expect([at(0), at(10), at(20), at(999), at(1_000)]).toEqual([0, 0, 1, 1, 0])
})

test('a rule whose effect cannot be played is passed over, and not counted', () => {
  const rules = openRules('test')
  rules.add(rule({ effect: { kind: 'lie', code: '1' } }), 0)
  rules.add(rule(), 0)
  const applied = rules.effects('callback', payer, 0, ({ kind }) => kind !== 'lie')
  expect(applied.map(({ effect }) => effect)).toEqual([drop])
  expect(rules.all().map(({ matched }) => matched)).toEqual([0, 1])
})

test('several rules apply in order of creation', () => {
  const rules = openRules('test')
  const delay: Effect = { kind: 'delay', ms: 5 }
  rules.add(rule({ effect: delay }), 0)
  rules.add(rule(), 0)
  expect(rules.effects('callback', payer, 0).map(({ effect }) => effect)).toEqual([delay, drop])
})

test('a removed rule no longer applies', () => {
  const rules = openRules('test')
  rules.add(rule(), 0)
  expect(rules.remove('rule_1')).toBe(true)
  expect(rules.remove('rule_1')).toBe(false)
  expect(rules.effects('callback', payer, 0)).toEqual([])
})

test('the rules of a scenario are removed together, and those made by hand stay', () => {
  const rules = openRules('test')
  rules.add(rule({ pack: 'cancel' }), 0)
  rules.add(rule(), 0)
  rules.removePacks()
  expect(rules.all().map(({ id }) => id)).toEqual(['rule_2'])
})

test('at most two hundred rules are accepted', () => {
  const rules = openRules('test')
  for (let made = 0; made < 200; made += 1) expect(rules.add(rule(), 0)).toBeDefined()
  expect(rules.add(rule(), 0)).toBeUndefined()
})

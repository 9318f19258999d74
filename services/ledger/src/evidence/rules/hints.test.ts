import { decide, failed, now, receipt, settled } from './decide-evidence.harness'
import { type Fact, type Instant, type Intent, later } from './state'

test.each<[string, Partial<Intent>, Instant | undefined]>([
  ['that was not queried yet (due at once)', { askedAt: null, queryAt: later(now, 90) }, now],
  ['whose next query is due in 15 s', { queryAt: later(now, 15) }, undefined],
  ['whose next query is due in 20 s', {}, undefined],
  ['that expired and is watched', { ...failed, queryAt: later(now, 3_600) }, undefined],
  ['that failed an hour ago', { ...failed, submittedAt: later(now, -3_600) }, later(now, 900)],
  ['that failed sooner than it may be asked about', failed, later(now, 180)],
  ['that its provider refused', { ...failed, askedAt: null }, undefined],
  ['whose watch is over', { ...failed, submittedAt: later(now, -72 * 3_600) }, undefined],
  ['that is settled', settled, undefined],
])(
  'a "paid" hint that may be made up makes a query due no sooner than a watch would, for an intent %s',
  (_, ...[intent, queryAt]) => {
    const { applied, writes } = decide(receipt(), {
      message: { kind: 'hint', isBound: false },
      intent,
    })
    expect(applied).toMatchObject({ result: 'kept', strength: 'E1' })
    expect([writes?.intent?.queryAt, writes?.intent?.nextActionAt]).toEqual([queryAt, queryAt])
  },
)

test.each<[string, Fact]>([
  ['a "declined" hint', { kind: 'declined' }],
  ['an "undecided" hint', { kind: 'undecided' }],
])('%s that may be made up makes the first query due at once', (_, fact) => {
  const intent = { askedAt: null, queryAt: later(now, 90) }
  const { applied, writes } = decide(fact, { message: { kind: 'hint', isBound: false }, intent })
  expect([applied.strength, writes?.intent?.queryAt]).toEqual(['E1', now])
})

test.each<[string, Fact]>([
  ['a "declined" hint that may be made up', { kind: 'declined' }],
  ['an "undecided" hint that may be made up', { kind: 'undecided' }],
])('%s makes no query due about a failed intent', (_, fact) => {
  const changes = { message: { kind: 'hint', isBound: false }, intent: failed } as const
  expect(decide(fact, changes).writes?.intent).toBeUndefined()
})

test('a signed hint makes a query due as soon as a hint that is bound to its intent', () => {
  const [bound, signed] = [
    decide(receipt(), { message: { kind: 'hint' } }),
    decide(receipt({ isSigned: true }), { message: { kind: 'hint', isBound: false } }),
  ]
  expect(bound.writes?.intent?.queryAt).toBe(later(now, 5))
  expect(signed).toEqual(bound)
})

import type { EvidenceResult } from '../../evidence/rules/evidence'
import { type RefundStatus, refundStatuses } from './refund'
import { type Fact, later } from '../../evidence/rules/state'
import { decideRefundMessage } from './decide-message'
import { beginRefundQuery } from './decide-sending'
import { type Changes, now, sent, stateOf } from './refunds.harness'
import type { Refund } from './state'

const yes = (changes: Partial<Fact> = {}): Fact => ({
  ...{ kind: 'receipt', receipt: 'X1', amountMinor: 50_000n, providerRequestId: 'AG_1' },
  ...changes,
})
const no = (changes: Partial<Fact> = {}): Fact => ({
  ...{ kind: 'declined', cause: 'refused', providerCode: '2001', providerRequestId: 'AG_1' },
  ...changes,
})
const query = { kind: 'query_answer' } as const
const decide = (fact: Fact, changes?: Changes) => decideRefundMessage(stateOf(changes), fact)
const resultOf = (fact: Fact, changes?: Changes) => {
  const { result, strength } = decide(fact, changes).applied
  return [result, strength]
}

const untouched: readonly EvidenceResult[] = ['kept', 'contradiction', 'parked']

test.each<readonly [string, Fact, Changes, readonly [EvidenceResult, string]]>([
  ['a callback in order that says yes', yes(), {}, ['settled', 'E3']],
  ['a callback in order that says no', no(), {}, ['failed', 'E3']],
  ['"paid" without a receipt', { kind: 'paid', providerRequestId: 'AG_1' }, {}, ['settled', 'E3']],
  ['an amount that is not named', yes({ amountMinor: undefined }), {}, ['settled', 'E3']],
  ['another amount', yes({ amountMinor: 1n }), {}, ['kept', 'E2']],
  ['another request', yes({ providerRequestId: 'AG_2' }), {}, ['kept', 'E2']],
  ['no request where ours is known', yes({ providerRequestId: undefined }), {}, ['kept', 'E2']],
  ['an unknown address', yes(), { message: { isSourceKnown: false } }, ['kept', 'E2']],
  ['a no to another request', no({ providerRequestId: 'AG_2' }), {}, ['kept', 'E2']],
  ['a yes before our request is known', yes(), lost(), ['settled', 'E3']],
  ['a no before our request is known', no(), lost(), ['kept', 'E2']],
  [
    'a no without a request before ours is known',
    no({ providerRequestId: undefined }),
    lost(),
    ['kept', 'E2'],
  ],
  [
    'an answer that names no request',
    yes({ providerRequestId: undefined }),
    { message: query },
    ['settled', 'E3'],
  ],
  [
    'an answer that says no',
    no({ providerRequestId: undefined }),
    { message: query },
    ['failed', 'E3'],
  ],
  [
    'an answer that names another receipt, to a question by that of the payment',
    yes({ providerRequestId: undefined }),
    { message: query, ...lost() },
    ['kept', 'E3'],
  ],
  [
    'an answer that names no receipt, to a question by that of the payment',
    { kind: 'paid' },
    { message: query, ...lost() },
    ['settled', 'E3'],
  ],
  [
    'an answer about the order of a card whose refund has no request',
    yes({ providerRequestId: undefined }),
    { message: query, refund: { provider: 'card', providerRequestId: null } },
    ['settled', 'E3'],
  ],
  [
    'an answer that the payment stands, by another step than it was posted under',
    yes({ receipt: 'R7', paymentStands: true }),
    { message: query, refund: { provider: 'card', providerRequestId: null } },
    ['kept', 'E3'],
  ],
  ['an answer of another amount', yes({ amountMinor: 1n }), { message: query }, ['kept', 'E2']],
  ['a callback with the receipt of the payment', yes({ receipt: 'R1' }), {}, ['settled', 'E3']],
  ['nothing that counts', { kind: 'undecided', providerRequestId: 'AG_1' }, {}, ['kept', 'E3']],
  ['not found', { kind: 'not_found', providerRequestId: 'AG_1' }, {}, ['kept', 'E3']],
  ['what cannot be read', { kind: 'unreadable' }, {}, ['parked', 'E2']],
])('a message ends a refund only if it passes all checks: %s', (_, fact, changes, outcome) => {
  const [result, strength] = outcome
  expect(resultOf(fact, changes)).toEqual(outcome)
  const { writes } = decide(fact, changes)
  const message = { id: 'pm_1', fact: fact.kind, strength, result, receipt: null }
  expect(writes?.message).toEqual(message)
  if (!untouched.includes(result)) return
  expect(writes).toMatchObject({ transfers: [], intents: [] })
  expect(writes?.refunds.map(({ status }) => status)).not.toContain('paid')
  expect(writes?.refunds.map(({ status }) => status)).not.toContain('failed')
})

function lost(): Changes {
  return { refund: { providerRequestId: null } }
}

test('an answer that the payment is unchanged fails the refund after half an hour, and not before', () => {
  const stands = yes({ receipt: 'R1' })
  const at = (seconds: number) => ({
    message: query,
    refund: { submittedAt: later(now, -seconds) },
  })
  expect(resultOf(stands, at(1_800))).toEqual(['kept', 'E3'])
  expect(resultOf(stands, at(1_801))).toEqual(['failed', 'E3'])
  expect(resultOf({ ...stands, amountMinor: 1n }, at(1_801))).toEqual(['kept', 'E2'])
  expect(resultOf(stands, { message: query, refund: { submittedAt: null } })).toEqual([
    'kept',
    'E3',
  ])
})

test('an answer that the payment is unchanged fails no refund when it came a minute after the sending and is applied late', () => {
  const [submittedAt, receivedAt] = [later(now, -1_860), later(now, -1_798)]
  const late = { message: { ...query, receivedAt }, refund: { submittedAt } }
  expect(resultOf(yes({ receipt: 'R1' }), late)).toEqual(['kept', 'E3'])
})

test.each<readonly [RefundStatus, EvidenceResult, EvidenceResult]>([
  ['asked', 'settled', 'contradiction'],
  ['approved', 'contradiction', 'contradiction'],
  ['submitted', 'settled', 'failed'],
  ['paid', 'kept', 'contradiction'],
  ['failed', 'settled', 'kept'],
  ['withdrawn', 'contradiction', 'contradiction'],
])(
  'for a refund that is %s, "refunded" returns %s and "refused" returns %s',
  (status, onYes, onNo) => {
    expect(resultOf(yes(), { refund: { status } })[0]).toBe(onYes)
    expect(resultOf(no(), { refund: { status } })[0]).toBe(onNo)
  },
)

test('a refund that ends is no longer queried, and stores the provider’s code', () => {
  const [failed] = decide(no()).writes?.refunds ?? []
  const ended = { endedAt: now, nextActionAt: null }
  expect(failed).toEqual({ ...sent, ...ended, status: 'failed', providerCode: '2001' })
  const [paid] = decide(yes(), { refund: { providerCode: '0' } }).writes?.refunds ?? []
  expect(paid).toEqual({ ...sent, ...ended, status: 'paid', providerCode: '0' })
})

const others = (status: RefundStatus) => ({
  ...{ refund: { status: 'failed' as const }, others: [{ ...sent, id: 'rf_2', status }] },
})

test.each(['asked', 'approved'] as const)(
  'a yes after a no withdraws another refund that is %s',
  (status) => {
    const { applied, writes } = decide(yes(), others(status))
    expect(applied.result).toBe('settled')
    expect(writes).toMatchObject({ withdrawn: ['rf_2'], refunds: [{ id: 'rf_1', status: 'paid' }] })
    expect(writes?.transfers).toHaveLength(1)
  },
)

test.each(['submitted', 'paid'] as const)(
  'a yes after a no contradicts another refund that is %s, and posts nothing',
  (status) => {
    const { applied, writes } = decide(yes(), others(status))
    expect(applied.result).toBe('contradiction')
    expect(writes).toMatchObject({ refunds: [], transfers: [], intents: [] })
  },
)

test.each(['failed', 'withdrawn'] as const)(
  'a yes after a no leaves another refund that is %s',
  (status) => {
    const { writes } = decide(yes(), others(status))
    expect(writes).toMatchObject({ withdrawn: [], refunds: [{ id: 'rf_1', status: 'paid' }] })
  },
)

test('a callback without effect makes a query due in a minute, unless one is due by then', () => {
  const weak = (refund: Changes['refund']) =>
    decide(yes({ amountMinor: 1n }), { refund: refund ?? {} }).writes?.refunds
  expect(weak({})).toEqual([{ ...sent, nextActionAt: later(now, 60) }])
  expect(weak({ nextActionAt: later(now, 60) })).toEqual([])
  expect(weak({ nextActionAt: later(now, 61) })).toHaveLength(1)
  expect(weak({ nextActionAt: null })).toEqual([])
  for (const status of refundStatuses.filter((one) => one !== 'submitted')) {
    expect(weak({ status })).toEqual([])
  }
})

/** Counts the queries within an hour about a refund of two hours ago, each followed by a message of another amount. */
function queriesOfAnHour(kind: 'callback' | 'query_answer'): number {
  let refund: Refund = { ...sent, submittedAt: later(now, -7_200), nextActionAt: now }
  let queries = 0
  for (let second = 0; second < 3_600; second += 1) {
    const at = { now: later(now, second), message: { kind } }
    const request = beginRefundQuery(stateOf({ ...at, refund })).applied
    if (request === undefined) continue
    queries += 1
    const { writes } = decide(yes({ amountMinor: 1n }), { ...at, refund: request })
    refund = { ...request, ...writes?.refunds[0] }
  }
  return queries
}

test('answers of another amount make no query due, and such callbacks make one due in a minute', () => {
  expect(queriesOfAnHour('query_answer')).toBe(2)
  // A query is handed out ten seconds before it is due, so there is one each 50 s.
  expect(queriesOfAnHour('callback')).toBe(72)
})

test('a message that was applied before returns its earlier result, and writes nothing', () => {
  const applied = { result: 'failed', strength: 'E3' } as const
  expect(decide(yes(), { message: applied })).toEqual({ applied: { ...applied, kind: 'callback' } })
})

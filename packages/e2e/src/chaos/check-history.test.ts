import { checkHistory, ruleNames } from './check-history'
import type { History, Truth } from './history'

const msisdn = '254711000001'
const checkoutId = 'cs_ke_1'
const paidBy = { receipt: 'QK1', msisdn, amount: '12300' }

/** One order that was paid, as everything should be. */
const history: History = {
  orders: [
    { id: 1, amount: '12300', msisdns: [msisdn, '254711000002'] },
    { id: 2, amount: '500', msisdns: ['254711000003'] },
  ],
  created: [
    { order: 1, key: 'k1', checkoutId, amount: '12300' },
    { order: 1, key: 'k1', checkoutId, amount: '12300' },
    { order: 2, key: 'k2', checkoutId: 'cs_ke_2', amount: '500' },
  ],
  pressed: [
    { order: 1, key: 'p1', intentId: 'pi_1' },
    { order: 2, key: 'p2', intentId: 'pi_2' },
  ],
  intentReads: [
    { id: 'pi_1', status: 'reserved', reader: 'payer' },
    { id: 'pi_1', status: 'completed', reader: 'payer' },
    { id: 'pi_2', status: 'pending', reader: 'payer' },
    { id: 'pi_2', status: 'failed', reader: 'payer' },
  ],
  checkoutReads: [
    { id: checkoutId, status: 'open', reader: 'merchant' },
    { id: checkoutId, status: 'completed', reader: 'merchant' },
  ],
  lastReads: [
    { checkoutId, status: 'completed', amount: '12300', receipt: 'QK1', settled: '12300' },
    { checkoutId: 'cs_ke_2', status: 'open', amount: '500', receipt: null, settled: null },
  ],
  unexpected: [],
}
const truth: Truth = {
  moved: [paidBy],
  posted: [{ receipt: 'QK1', credit: 'wallet:acc_1', minor: '12300' }],
  prompts: [
    { msisdn, openedAtMs: 1_000, closedAtMs: 2_000 },
    { msisdn: '254711000003', openedAtMs: 1_000, closedAtMs: Infinity },
  ],
  audit: [],
  leaks: [],
}

type Doctored = Partial<History & Truth>
const [paid, unpaid] = history.lastReads
const lastReads = (change: object) => ({ lastReads: [{ ...paid, ...change }, unpaid] }) as Doctored
const posted = (...changes: readonly object[]) =>
  ({ posted: changes.map((change) => ({ ...truth.posted[0], ...change })) }) as Doctored

/** A planted bug, as clients and the provider would see it, and the rule that finds it. */
const planted: readonly (readonly [bug: string, rule: string, doctored: Doctored])[] = [
  [
    'a checkout is lost after its 201',
    'an acknowledged checkout can be read',
    { lastReads: [paid] as never },
  ],
  [
    'the amount changes',
    'a checkout keeps the amount that was asked for',
    lastReads({ amount: '12400', settled: '12400' }),
  ],
  [
    'a retry makes a second checkout',
    'a repeated create is answered with the same checkout',
    {
      created: [
        ...history.created,
        { order: 1, key: 'k1', checkoutId: 'cs_ke_2', amount: '12300' },
      ],
    },
  ],
  [
    'two merchants get one checkout',
    'no two orders have one checkout',
    { created: [...history.created, { order: 2, key: 'k3', checkoutId, amount: '500' }] },
  ],
  [
    'a retry makes a second attempt',
    'a repeated press is answered with the same payment attempt',
    { pressed: [...history.pressed, { order: 1, key: 'p1', intentId: 'pi_9' }] },
  ],
  [
    'two payers get one attempt',
    'no two orders have one payment attempt',
    { pressed: [...history.pressed, { order: 2, key: 'p3', intentId: 'pi_1' }] },
  ],
  [
    'an attempt goes back from completed',
    'a payment attempt takes allowed steps only',
    { intentReads: [...history.intentReads, { id: 'pi_1', status: 'pending', reader: 'payer' }] },
  ],
  [
    'a checkout goes back from completed',
    'a checkout takes allowed steps only',
    {
      checkoutReads: [
        ...history.checkoutReads,
        { id: checkoutId, status: 'open', reader: 'merchant' },
      ],
    },
  ],
  [
    'a status that no one knows',
    'a checkout takes allowed steps only',
    { checkoutReads: [{ id: checkoutId, status: 'paid', reader: 'merchant' }] },
  ],
  [
    'an attempt stays pending',
    'every payment attempt ends',
    { intentReads: history.intentReads.slice(0, 3) },
  ],
  ['a checkout is completed without money', 'a completed checkout was paid', { moved: [] }],
  ['an attempt is completed without money', 'a completed payment attempt was paid', { moved: [] }],
  [
    'the payer is told that a paid attempt failed',
    'a payment attempt that was paid is not called failed',
    { moved: [paidBy, { receipt: 'QK5', msisdn: '254711000003', amount: '500' }] },
  ],
  [
    'the merchant is told that a paid checkout expired',
    'a paid checkout is completed',
    lastReads({ status: 'expired', receipt: null, settled: null }),
  ],
  [
    'the payer pays twice',
    'a payer pays a checkout once',
    { moved: [paidBy, { ...paidBy, receipt: 'QK2' }] },
  ],
  [
    'the prompt asks for another amount',
    'the provider moved the amount of the checkout',
    { moved: [{ ...paidBy, amount: '12299' }] },
  ],
  [
    'the receipt of another payment is shown',
    'a completed checkout has the receipt and the amount of its payment',
    lastReads({ receipt: 'QK7' }),
  ],
  [
    'less is settled',
    'a completed checkout has the receipt and the amount of its payment',
    lastReads({ settled: '12200' }),
  ],
  ['a callback is swallowed', 'money that moved is posted', posted()],
  ['a callback is posted twice', 'money that moved is posted once', posted({}, {})],
  ['another amount is posted', 'the amount that moved is posted', posted({ minor: '12200' })],
  ['money goes to the fees', 'money goes to a wallet or to suspense', posted({ credit: 'fees' })],
  [
    'a forged callback is posted',
    'nothing is posted that did not move',
    posted({}, { receipt: 'QK9' }),
  ],
  [
    'a job that ran twice prompts twice',
    'a phone is prompted once',
    { prompts: [1_000, 3_000].map((at) => ({ msisdn, openedAtMs: at, closedAtMs: at + 1_000 })) },
  ],
  [
    'two payers are prompted at once',
    'a checkout has one open prompt',
    {
      prompts: [
        { msisdn, openedAtMs: 1_000, closedAtMs: 4_000 },
        { msisdn: '254711000002', openedAtMs: 3_000, closedAtMs: 5_000 },
      ],
    },
  ],
  [
    'a service answers 500',
    'each answer is one that the interface allows',
    { unexpected: ['create: 500'] },
  ],
  ['a balance is wrong', 'the audit is clean', { audit: ['ke: invariant 3'] }],
  [
    'a log has a phone number',
    'no log has a key or a whole phone number',
    { leaks: ['worker-ke.log'] },
  ],
]

const check = (doctored: Doctored) =>
  checkHistory({ ...history, ...doctored }, { ...truth, ...doctored }).map(({ rule }) => rule)

test('a history in which all went well has no finding', () => {
  expect(check({})).toEqual([])
})

test.each(planted)('%s: %s', (_bug, rule, doctored) => {
  expect(check(doctored)).toContain(rule)
})

test('every rule finds a planted bug', () => {
  expect(new Set(planted.map(([, rule]) => rule))).toEqual(new Set(ruleNames))
})

test('money that waits in suspense is not lost', () => {
  const held = { ...posted({ credit: 'suspense:late' }), ...lastReads({ status: 'expired' }) }
  expect(check({ ...held, intentReads: history.intentReads.slice(2) })).toEqual([])
})

test('a payer who pays after the attempt has expired completes it', () => {
  const late = ['pending', 'expired', 'completed'].map((status) => ({
    ...{ id: 'pi_1', reader: 'payer' },
    status,
  }))
  expect(check({ intentReads: late })).toEqual([])
})

test('an older answer that reaches another reader later is no step back', () => {
  const late = { id: 'pi_1', status: 'reserved', reader: 'another phone' }
  const findings = checkHistory({ ...history, intentReads: [...history.intentReads, late] }, truth)
  expect(findings.map(({ rule }) => rule)).not.toContain(
    'a payment attempt takes allowed steps only',
  )
})

import { checkHistory, ruleNames } from './check-history'
import type { History, Truth } from './history'

const msisdn = '254711000001'
const checkoutId = 'cs_ke_1'
const paidBy = { receipt: 'QK1', msisdn, amount: '12300', cardAttempt: null }
const paidByCard = { receipt: 'pi_3-1', msisdn: '', amount: '10400', cardAttempt: 'pi_3' }

/** A history without a mistake: one order that was paid, one that was not, and one that was paid by card. */
const history: History = {
  orders: [
    { id: 1, amount: '12300', msisdns: [msisdn, '254711000002'], cardFee: null },
    { id: 2, amount: '500', msisdns: ['254711000003'], cardFee: null },
    { id: 3, amount: '10000', msisdns: [], cardFee: '400' },
  ],
  created: [
    { order: 1, key: 'k1', checkoutId, amount: '12300' },
    { order: 1, key: 'k1', checkoutId, amount: '12300' },
    { order: 2, key: 'k2', checkoutId: 'cs_ke_2', amount: '500' },
    { order: 3, key: 'k4', checkoutId: 'cs_ke_3', amount: '10000' },
  ],
  pressed: [
    { order: 1, key: 'p1', intentId: 'pi_1', total: null },
    { order: 2, key: 'p2', intentId: 'pi_2', total: null },
    { order: 3, key: 'p4', intentId: 'pi_3', total: '10400' },
  ],
  paged: [
    { intentId: 'pi_3', page: '/checkout/pay/S1' },
    { intentId: 'pi_3', page: '/checkout/pay/S1' },
  ],
  taken: [{ order: 3, intentId: 'pi_3' }],
  intentReads: [
    { id: 'pi_1', status: 'reserved', reader: 'payer' },
    { id: 'pi_1', status: 'completed', reader: 'payer' },
    { id: 'pi_2', status: 'pending', reader: 'payer' },
    { id: 'pi_2', status: 'failed', reader: 'payer' },
    { id: 'pi_3', status: 'completed', reader: 'card' },
  ],
  checkoutReads: [
    { id: checkoutId, status: 'open', reader: 'merchant' },
    { id: checkoutId, status: 'completed', reader: 'merchant' },
  ],
  lastReads: [
    { checkoutId, status: 'completed', amount: '12300', receipt: 'QK1', settled: '12300' },
    { checkoutId: 'cs_ke_2', status: 'open', amount: '500', receipt: null, settled: null },
    {
      ...{ checkoutId: 'cs_ke_3', status: 'completed', amount: '10000' },
      ...{ receipt: 'pi_3-1', settled: '10000' },
    },
  ],
  unexpected: [],
}
const truth: Truth = {
  moved: [paidBy, paidByCard],
  posted: [
    { receipt: 'QK1', credit: 'wallet:acc_1', minor: '12300' },
    { receipt: 'pi_3-1', credit: 'wallet:acc_1', minor: '10000' },
    { receipt: 'pi_3-1', credit: 'fee:card', minor: '400' },
  ],
  prompts: [
    { msisdn, openedAtMs: 1_000, closedAtMs: 2_000 },
    { msisdn: '254711000003', openedAtMs: 1_000, closedAtMs: Infinity },
  ],
  audit: [],
  leaks: [],
}

type Doctored = Partial<History & Truth>
const [paid, ...otherReads] = history.lastReads
const lastReads = (change: object) =>
  ({ lastReads: [{ ...paid, ...change }, ...otherReads] }) as Doctored
const [amount, ...legsOfCard] = truth.posted
const posted = (...changes: readonly object[]) =>
  ({ posted: [...changes.map((change) => ({ ...amount, ...change })), ...legsOfCard] }) as Doctored
/** Changes the transfers of the payment by card. */
const postedOfCard = (...legs: readonly object[]) =>
  ({ posted: [amount, ...legs.map((leg) => ({ receipt: 'pi_3-1', ...leg }))] }) as Doctored

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
    { pressed: [...history.pressed, { order: 1, key: 'p1', intentId: 'pi_9', total: null }] },
  ],
  [
    'two payers get one attempt',
    'no two orders have one payment attempt',
    { pressed: [...history.pressed, { order: 2, key: 'p3', intentId: 'pi_1', total: null }] },
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
    { moved: [paidBy, { ...paidBy, receipt: 'QK5', msisdn: '254711000003', amount: '500' }] },
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
  [
    'the payment of a phone goes to the fees',
    'money goes to a wallet or to suspense, and the fee of a card to us',
    posted({ credit: 'fee:card' }),
  ],
  [
    'the payment of a card goes to us as well',
    'money goes to a wallet or to suspense, and the fee of a card to us',
    postedOfCard({ credit: 'float:card', minor: '10400' }),
  ],
  [
    'a payer by card is not shown the fee',
    'a payer by card is told the amount and the fee',
    { pressed: history.pressed.map((one) => ({ ...one, total: one.total && '10000' })) },
  ],
  [
    'a second page is opened for one attempt',
    'a payment attempt by card has one page',
    { paged: [...history.paged, { intentId: 'pi_3', page: '/checkout/pay/S2' }] },
  ],
  [
    'a payer by card is led to the page of another',
    'a card that was taken paid the payment attempt of its page',
    { moved: [paidBy, { ...paidByCard, cardAttempt: 'pi_4' }] },
  ],
  [
    'a card is charged twice',
    'a payer pays a checkout once',
    { moved: [paidBy, paidByCard, { ...paidByCard, receipt: 'pi_3-2' }] },
  ],
  [
    'the fee of a card is not asked for',
    'the provider moved the amount of the checkout',
    { moved: [paidBy, { ...paidByCard, amount: '10000' }] },
  ],
  ['the notification of a card is swallowed', 'money that moved is posted', postedOfCard()],
  [
    'the fee of a card is posted twice',
    'money that moved is posted once',
    { posted: [...truth.posted, ...truth.posted.slice(-1)] },
  ],
  [
    'the fee of a card is not posted',
    'the amount that moved is posted',
    postedOfCard({ credit: 'wallet:acc_1', minor: '10000' }),
  ],
  [
    'the fee of a card goes to the merchant',
    'the merchant gets the amount of the checkout',
    postedOfCard({ credit: 'wallet:acc_1', minor: '10400' }),
  ],
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

test('money that is held in suspense is not counted as lost', () => {
  const held = { ...posted({ credit: 'suspense:late' }), ...lastReads({ status: 'expired' }) }
  expect(check({ ...held, intentReads: history.intentReads.slice(2) })).toEqual([])
})

test('a payment after the attempt has expired may complete it, and is no finding', () => {
  const late = ['pending', 'expired', 'completed'].map((status) => ({
    ...{ id: 'pi_1', reader: 'payer' },
    status,
  }))
  expect(check({ intentReads: late })).toEqual([])
})

test('an older status that another reader gets later is not counted as a step back', () => {
  const late = { id: 'pi_1', status: 'reserved', reader: 'another phone' }
  const findings = checkHistory({ ...history, intentReads: [...history.intentReads, late] }, truth)
  expect(findings.map(({ rule }) => rule)).not.toContain(
    'a payment attempt takes allowed steps only',
  )
})

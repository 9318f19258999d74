import { type Changes, decide, declined, query, receipt, report } from './decide-evidence.harness'
import type { Fact, Intent, Report } from './state'

// Where the answer to our call was lost, a callback that passes every check (E3) gives the provider's id of the prompt
// (the prompt id). Then only messages with this id count.

const unanswered: Partial<Intent> = { providerRequestId: null, status: 'submitted' }
const large: Partial<Intent> = { ...unanswered, amountMinor: 100_001n, askedMinor: 100_001n }
const named: Partial<Intent> = { ...large, callbackRequestId: 'ws_1' }
const paidLarge = receipt({ amountMinor: 100_001n })
const of = (requestId: string | null, changes: Partial<Report> = {}) =>
  report({ minor: 100_001n, requestId, ...changes })
const own: Partial<Intent> = { ...large, providerRequestId: 'ws_1' }
const weak = (changes: Partial<Report> = {}) => of('ws_1', { strength: 'E2', ...changes })
const paid: Fact = { kind: 'paid', providerRequestId: 'ws_1' }

test.each<[string, Fact, Changes, string | null | undefined]>([
  ['a callback in order with a receipt gives it', paidLarge, { intent: large }, 'ws_1'],
  ['a callback in order that settles at once gives it', receipt(), { intent: unanswered }, 'ws_1'],
  [
    'a callback in order with "declined" gives it',
    { ...declined, providerRequestId: 'ws_1' },
    { intent: unanswered },
    'ws_1',
  ],
  [
    'a callback in order without a verdict gives it',
    { kind: 'undecided', providerRequestId: 'ws_1' },
    { intent: unanswered },
    'ws_1',
  ],
  [
    'a callback without a prompt id gives none',
    receipt({ providerRequestId: undefined, amountMinor: 100_001n }),
    { intent: large },
    null,
  ],
  [
    'the id of an earlier callback stays',
    receipt({ providerRequestId: 'ws_2', amountMinor: 100_001n }),
    { intent: named },
    'ws_1',
  ],
  ['a callback gives none where our call was answered', receipt(), {}, null],
  [
    'a callback with the prompt id of another intent gives none',
    paidLarge,
    { intent: large, isRequestTaken: true },
    null,
  ],
  [
    'a callback from an unlisted address gives none',
    paidLarge,
    { intent: large, message: { isSourceKnown: false } },
    null,
  ],
  [
    'a callback of another amount gives none',
    receipt({ amountMinor: 1n }),
    { intent: large },
    null,
  ],
  ['a hint gives none', paidLarge, { intent: large, message: { kind: 'hint' } }, null],
  ['a query answer gives none', paidLarge, { intent: large, message: query }, null],
])('the prompt id of an intent: %s', (_, fact, changes, requestId) => {
  const { writes } = decide(fact, changes)
  expect(writes?.intent?.callbackRequestId ?? null).toBe(requestId)
})

test('a callback that names the prompt of another intent is weak evidence and settles nothing', () => {
  const { applied, writes } = decide(receipt(), { intent: unanswered, isRequestTaken: true })
  expect(applied).toMatchObject({ result: 'kept', strength: 'E2' })
  expect(writes?.transfers).toEqual([])
})

test('an answer about the prompt of another intent counts for nothing', () => {
  const changes = { message: query, intent: named, isRequestTaken: true, reports: [of('ws_1')] }
  expect(decide(paid, changes).applied).toMatchObject({ result: 'kept', strength: 'E1' })
  expect(decide(paid, changes).writes?.intent).toBeUndefined()
})

test.each<[string, Fact, Partial<Intent>, readonly Report[], string]>([
  ['settles by a report with the same prompt id', paid, named, [of('ws_1')], 'settled'],
  ['does not settle by a report with another prompt id', paid, named, [of('ws_2')], 'kept'],
  [
    'does not settle when the answer has another prompt id than the intent',
    { ...paid, providerRequestId: 'ws_2' },
    named,
    [of('ws_2')],
    'kept',
  ],
  [
    'does not settle when the answer has no prompt id',
    { kind: 'paid' },
    named,
    [of('ws_1')],
    'kept',
  ],
  [
    'does not settle by a report without a prompt id, where a callback gave the id',
    paid,
    named,
    [of(null)],
    'kept',
  ],
  [
    'settles by a report without a prompt id, where our call was answered',
    paid,
    own,
    [of(null)],
    'settled',
  ],
  [
    'does not settle by a report with another prompt id, where our call was answered',
    paid,
    { ...named, providerRequestId: 'ws_1' },
    [of('ws_2')],
    'kept',
  ],
  [
    'settles by a report from an unlisted address with the same prompt id and amount',
    paid,
    own,
    [weak()],
    'settled',
  ],
  [
    'does not settle by a report from an unlisted address with another amount',
    paid,
    own,
    [weak({ minor: 1n })],
    'kept',
  ],
  [
    'does not settle by a report from an unlisted address with another prompt id',
    paid,
    own,
    [weak({ requestId: 'ws_2' })],
    'kept',
  ],
  [
    'does not settle by a report from an unlisted address without a prompt id',
    paid,
    own,
    [weak({ requestId: null })],
    'kept',
  ],
  [
    'does not settle by a report that operators have closed',
    paid,
    own,
    [weak({ isClosed: true })],
    'kept',
  ],
  [
    'does not settle by two receipts from an unlisted address',
    paid,
    own,
    [weak(), weak({ receipt: 'R2' })],
    'kept',
  ],
  [
    'settles by a report in order, whatever receipt an unlisted address has named',
    paid,
    own,
    [weak({ receipt: 'R2' }), of('ws_1')],
    'settled',
  ],
  [
    'does not settle by the report of a hint',
    paid,
    { ...own, rail: 'airtel_money' },
    [weak()],
    'kept',
  ],
  [
    'settles by the one of two reports that has the same prompt id',
    paid,
    named,
    [of('ws_2', { receipt: 'R2' }), of('ws_1')],
    'settled',
  ],
])(
  'the answer "paid" to a query about a large amount %s',
  (_, fact, intent, ...[reports, result]) => {
    const { applied, writes } = decide(fact, { message: query, intent, reports })
    expect(applied.result).toBe(result)
    expect(writes?.transfers.map(({ eventKey }) => eventKey)).toEqual(
      result === 'settled' ? ['receipt:mpesa:R1'] : [],
    )
  },
)

test.each([
  ['ws_1', 'settled'],
  ['ws_2', 'kept'],
])(
  'after the answer "paid" about ws_1, a callback of a large amount that names %s is %s',
  (providerRequestId, result) => {
    const fact = receipt({ amountMinor: 100_001n, providerRequestId })
    const { applied } = decide(fact, { intent: { ...named, receiptWanted: true } })
    expect(applied.result).toBe(result)
  },
)

import { type Changes, decide, declined, query, receipt, report } from './decide-evidence.harness'
import type { Fact, Intent, Report } from './state'

// The provider's id of a prompt whose own answer was lost: a callback in order gives it, and only what is about it counts.

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
  ['a receipt in order gives it', paidLarge, { intent: large }, 'ws_1'],
  ['a receipt that settles at once gives it', receipt(), { intent: unanswered }, 'ws_1'],
  [
    'a refusal in order gives it',
    { ...declined, providerRequestId: 'ws_1' },
    { intent: unanswered },
    'ws_1',
  ],
  [
    'a callback that says nothing gives it',
    { kind: 'undecided', providerRequestId: 'ws_1' },
    { intent: unanswered },
    'ws_1',
  ],
  [
    'a callback that names none gives none',
    receipt({ providerRequestId: undefined, amountMinor: 100_001n }),
    { intent: large },
    null,
  ],
  [
    'the first one stays',
    receipt({ providerRequestId: 'ws_2', amountMinor: 100_001n }),
    { intent: named },
    'ws_1',
  ],
  ['none is given where our call was answered', receipt(), {}, null],
  ['the id of another intent gives none', paidLarge, { intent: large, isRequestTaken: true }, null],
  [
    'an unlisted address gives none',
    paidLarge,
    { intent: large, message: { isSourceKnown: false } },
    null,
  ],
  ['another amount gives none', receipt({ amountMinor: 1n }), { intent: large }, null],
  ['a hint gives none', paidLarge, { intent: large, message: { kind: 'hint' } }, null],
  ['an answer gives none', paidLarge, { intent: large, message: query }, null],
])('the id of a prompt that a callback names: %s', (_, fact, changes, requestId) => {
  const { writes } = decide(fact, changes)
  expect(writes?.intent?.callbackRequestId ?? null).toBe(requestId)
})

test('a callback that names the prompt of another intent is weak, has the provider asked, and settles nothing', () => {
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
  ['the prompt that its report names settles', paid, named, [of('ws_1')], 'settled'],
  ['the prompt of another report does not', paid, named, [of('ws_2')], 'kept'],
  ['another prompt does not', { ...paid, providerRequestId: 'ws_2' }, named, [of('ws_2')], 'kept'],
  ['no prompt that is named does not', { kind: 'paid' }, named, [of('ws_1')], 'kept'],
  ['a report of before ids were kept does not', paid, named, [of(null)], 'kept'],
  ['our own prompt settles by a report of before ids were kept', paid, own, [of(null)], 'settled'],
  [
    'our own prompt does not settle by what was reported of another',
    paid,
    { ...named, providerRequestId: 'ws_1' },
    [of('ws_2')],
    'kept',
  ],
  ['a prompt that an unlisted address has named in full settles', paid, own, [weak()], 'settled'],
  [
    'an unlisted address that names another amount does not',
    paid,
    own,
    [weak({ minor: 1n })],
    'kept',
  ],
  [
    'an unlisted address that names another prompt does not',
    paid,
    own,
    [weak({ requestId: 'ws_2' })],
    'kept',
  ],
  [
    'an unlisted address that names no prompt does not',
    paid,
    own,
    [weak({ requestId: null })],
    'kept',
  ],
  ['what operators have closed does not', paid, own, [weak({ isClosed: true })], 'kept'],
  [
    'two receipts of an unlisted address do not',
    paid,
    own,
    [weak(), weak({ receipt: 'R2' })],
    'kept',
  ],
  [
    'a report in order settles by that one, whatever an unlisted address has named',
    paid,
    own,
    [weak({ receipt: 'R2' }), of('ws_1')],
    'settled',
  ],
  ['a hint does not', paid, { ...own, rail: 'airtel_money' }, [weak()], 'kept'],
  [
    'the prompt of one of two reports settles by that one',
    paid,
    named,
    [of('ws_2', { receipt: 'R2' }), of('ws_1')],
    'settled',
  ],
])('"paid" of a large prompt, about %s', (_, fact, intent, ...[reports, result]) => {
  const { applied, writes } = decide(fact, { message: query, intent, reports })
  expect(applied.result).toBe(result)
  expect(writes?.transfers.map(({ eventKey }) => eventKey)).toEqual(
    result === 'settled' ? ['receipt:mpesa:R1'] : [],
  )
})

test.each([
  ['ws_1', 'settled'],
  ['ws_2', 'kept'],
])('after "paid" about ws_1 a large callback that names %s is %s', (providerRequestId, result) => {
  const fact = receipt({ amountMinor: 100_001n, providerRequestId })
  const { applied } = decide(fact, { intent: { ...named, receiptWanted: true } })
  expect(applied.result).toBe(result)
})

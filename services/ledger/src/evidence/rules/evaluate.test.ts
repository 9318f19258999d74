import {
  type Changes,
  failed,
  settled,
  decide,
  declined,
  query,
  report,
  now,
  receipt,
} from './decide-evidence.harness'
import { later, type Fact, type Intent, type Report } from './state'

test.each<[string, Fact, Changes, string, Partial<Intent> | undefined]>([
  [
    'a callback in order ends it',
    { ...declined, providerRequestId: 'ws_1' },
    {},
    'failed',
    {
      status: 'failed',
      cause: 'cancelled',
      providerCode: '1032',
      endedAt: now,
      deadlineAt: null,
      queryAt: null,
    },
  ],
  [
    'a callback without a request has the provider asked',
    declined,
    {},
    'kept',
    { queryAt: later(now, 5), nextActionAt: later(now, 5) },
  ],
  [
    'the first query is remembered',
    declined,
    { message: query },
    'kept',
    { deniedCode: '1032', deniedAt: later(now, -1) },
  ],
  [
    'a query that agrees ends it',
    declined,
    {
      message: query,
      intent: { deniedCode: '1032', deniedAt: later(now, -16) },
    },
    'failed',
    { status: 'failed' },
  ],
  [
    'a query that agrees ends the watch of a failed intent',
    declined,
    { message: query, intent: { ...failed, queryAt: now } },
    'kept',
    { status: 'failed', queryAt: null, nextActionAt: null, deniedAt: null },
  ],
  [
    'a query that agrees too soon is kept',
    declined,
    {
      message: query,
      intent: { deniedCode: '1032', deniedAt: later(now, -15) },
    },
    'kept',
    undefined,
  ],
  [
    'a query with another code is remembered',
    declined,
    { message: query, intent: { deniedCode: '1', deniedAt: later(now, -16) } },
    'kept',
    { deniedCode: '1032' },
  ],
  [
    'a query about a young prompt is kept',
    declined,
    { message: query, intent: { submittedAt: later(now, -60) } },
    'kept',
    undefined,
  ],
  [
    'a query about a prompt of just that age is remembered',
    declined,
    { message: query, intent: { submittedAt: later(now, -61) } },
    'kept',
    { deniedCode: '1032' },
  ],
  [
    'a query that confirms a hint ends it',
    declined,
    {
      message: query,
      declinedHint: 'known_source',
      intent: { submittedAt: later(now, -9) },
    },
    'failed',
    { status: 'failed' },
  ],
  [
    'a query while the page of the card is open is kept',
    declined,
    { message: query, card: { feeMinor: 0n, expiresAt: later(now, 9) } },
    'kept',
    undefined,
  ],
  [
    'after "paid" it contradicts',
    declined,
    { message: query, intent: { receiptWanted: true } },
    'contradiction',
    undefined,
  ],
  [
    'after a report it contradicts',
    declined,
    { message: query, intent: { reportedAt: later(now, -1) } },
    'contradiction',
    undefined,
  ],
  [
    'a hint after a report is kept',
    declined,
    { message: { kind: 'hint' }, intent: { reportedAt: later(now, -1) } },
    'kept',
    undefined,
  ],
  [
    'of a settled intent it contradicts',
    { ...declined, providerRequestId: 'ws_1' },
    { intent: settled },
    'contradiction',
    undefined,
  ],
  [
    'of a failed one it stops the queries',
    { ...declined, providerRequestId: 'ws_1' },
    { intent: { ...failed, queryAt: now } },
    'kept',
    { queryAt: null, nextActionAt: null, status: 'failed' },
  ],
])('the effect of "declined": %s', (_, ...[fact, changes, result, course]) => {
  const { applied, writes } = decide(fact, changes)
  expect(applied.result).toBe(result)
  if (course === undefined) expect(writes?.intent).toBeUndefined()
  else expect(writes?.intent).toMatchObject(course)
})

test.each<[string, Changes, string]>([
  ['a prompt', {}, 'kept'],
  ['a prompt that a hint called declined', { declinedHint: 'known_source' }, 'kept'],
  ['a card page', { intent: { rail: 'card' } }, 'kept'],
  [
    'a card page that a browser returned from',
    {
      intent: { rail: 'card' },
      card: { feeMinor: 0n, expiresAt: now },
      declinedHint: 'unknown_source',
    },
    'kept',
  ],
  [
    'a card page whose payer came back',
    { intent: { rail: 'card' }, declinedHint: 'known_source' },
    'failed',
  ],
  [
    'a card page that was reported paid',
    { intent: { rail: 'card', reportedAt: now }, declinedHint: 'known_source' },
    'kept',
  ],
])('"not found" ends only a card page known to be left: %s', (_, changes, result) => {
  const { applied, writes } = decide({ kind: 'not_found' }, { ...changes, message: query })
  expect(applied.result).toBe(result)
  if (result === 'failed') expect(writes?.intent?.cause).toBe('cancelled')
})

test('"undecided" clears an earlier "declined", and a message that cannot be read is parked', () => {
  const intent = { deniedCode: '1032', deniedAt: later(now, -20) }
  const { writes } = decide({ kind: 'undecided' }, { message: query, intent })
  expect(writes?.intent).toMatchObject({ deniedCode: null, deniedAt: null })
  expect(decide({ kind: 'undecided' }, { intent }).writes?.intent).toBeUndefined()
  expect(decide({ kind: 'unreadable' }).applied.result).toBe('parked')
})

test.each<[string, readonly Report[], string, string | undefined]>([
  ['no report', [], 'kept', undefined],
  ['one report', [report()], 'settled', 'R1'],
  ['a posted report', [report({ isPosted: true })], 'kept', undefined],
  ['a weak report', [report({ strength: 'E2' })], 'kept', undefined],
  ['a report without a receipt', [report({ receipt: '' })], 'kept', undefined],
  ['two reports', [report(), report({ receipt: 'R2' })], 'kept', undefined],
])('"paid" settles only beside one unposted report: %s', (_, reports, result, settledBy) => {
  const { applied, writes } = decide({ kind: 'paid' }, { message: query, reports })
  expect(applied.result).toBe(result)
  expect(writes?.intent?.receipt ?? undefined).toBe(settledBy)
  if (result === 'kept') {
    expect(writes?.intent).toMatchObject({
      receiptWanted: true,
      queryAt: now,
      reportedAt: now,
    })
    // The answer must not mark one of several receipts as used: the next "paid" would settle by the other.
    expect(writes?.report?.receipt ?? '').toBe('')
  }
})

test('the first report extends the deadline of the intent and makes a query due at once; the next does neither', () => {
  const large = { askedMinor: 100_001n, amountMinor: 100_001n }
  const fact = receipt({ amountMinor: 100_001n })
  const first = decide(fact, { intent: large }).writes
  expect(first?.intent).toMatchObject({
    ...{
      reportedAt: now,
      heldUntil: later(now, 600),
      deadlineAt: later(now, 600),
    },
    ...{ queryAt: now, nextActionAt: now },
  })
  expect(first?.report).toEqual({
    ...{
      intentId: 'pi_1',
      receipt: 'R1',
      messageId: 'pm_1',
      provider: 'mpesa',
    },
    ...{ minor: 100_001n, strength: 'E3', paidAt: null, requestId: 'ws_1', isElsewhere: false },
  })
  const reported = {
    ...large,
    reportedAt: later(now, -5),
    deadlineAt: later(now, 595),
  }
  const second = decide(fact, { intent: reported, reports: [report()] }).writes
  expect(second?.intent).toMatchObject({
    deadlineAt: later(now, 595),
    queryAt: later(now, 5),
  })
  expect(second?.report).toBeUndefined()
})

test.each<[string, Changes, Partial<Fact>, boolean]>([
  ['a weak callback is listed', { message: { isSourceKnown: false } }, {}, true],
  [
    'one from elsewhere about another amount is not',
    { message: { isSourceKnown: false } },
    { amountMinor: 1n },
    false,
  ],
  ['one that is not bound is not', { message: { kind: 'hint', isBound: false } }, {}, false],
  [
    'one that is signed is',
    { message: { kind: 'hint', isBound: false } },
    { isSigned: true },
    true,
  ],
  ['one that the journal has is not', { message: { kind: 'hint' }, isPosted: true }, {}, false],
  [
    'a stronger one is listed again',
    {
      message: { isSourceKnown: false },
      reports: [report({ strength: 'E1' })],
    },
    {},
    true,
  ],
  ['a weaker one is not', { message: { isSourceKnown: false }, reports: [report()] }, {}, false],
])('lists a report of payment or not: %s', (_, changes, reported, isListed) => {
  expect(decide(receipt(reported), changes).writes?.report !== undefined).toBe(isListed)
})

test('a report changes no deadline of an intent that has ended, and nothing of one that was never sent', () => {
  const weak = { message: { isSourceKnown: false } }
  expect(decide(receipt(), { ...weak, intent: failed }).writes?.intent).toMatchObject({
    ...{ reportedAt: now, heldUntil: null, deadlineAt: null },
  })
  expect(
    decide(receipt(), { ...weak, intent: { submittedAt: null } }).writes?.intent,
  ).toBeUndefined()
})

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
    'a callback in order fails the attempt',
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
    'a callback without a prompt id makes a query due sooner',
    declined,
    {},
    'kept',
    { queryAt: later(now, 5), nextActionAt: later(now, 5) },
  ],
  [
    'the first query answer is remembered',
    declined,
    { message: query },
    'kept',
    { deniedCode: '1032', deniedAt: later(now, -1) },
  ],
  [
    'a second query answer with the same code fails the attempt',
    declined,
    {
      message: query,
      intent: { deniedCode: '1032', deniedAt: later(now, -16) },
    },
    'failed',
    { status: 'failed' },
  ],
  [
    'a query answer ends the watch of a failed attempt',
    declined,
    { message: query, intent: { ...failed, queryAt: now } },
    'kept',
    { status: 'failed', queryAt: null, nextActionAt: null, deniedAt: null },
  ],
  [
    'a second query answer less than 15 s after the first changes nothing',
    declined,
    {
      message: query,
      intent: { deniedCode: '1032', deniedAt: later(now, -15) },
    },
    'kept',
    undefined,
  ],
  [
    'a second query answer with another code is remembered instead',
    declined,
    { message: query, intent: { deniedCode: '1', deniedAt: later(now, -16) } },
    'kept',
    { deniedCode: '1032' },
  ],
  [
    'a query answer about a prompt younger than 60 s changes nothing',
    declined,
    { message: query, intent: { submittedAt: later(now, -60) } },
    'kept',
    undefined,
  ],
  [
    'a query answer about a prompt of 60 s is remembered',
    declined,
    { message: query, intent: { submittedAt: later(now, -61) } },
    'kept',
    { deniedCode: '1032' },
  ],
  [
    'a query answer that confirms a hint fails the attempt',
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
    'a query answer changes nothing while the card page is open',
    declined,
    { message: query, card: { feeMinor: 0n, expiresAt: later(now, 9) } },
    'kept',
    undefined,
  ],
  [
    'a query answer after "paid" contradicts',
    declined,
    { message: query, intent: { receiptWanted: true } },
    'contradiction',
    undefined,
  ],
  [
    'a query answer after a report of payment contradicts',
    declined,
    { message: query, intent: { reportedAt: later(now, -1) } },
    'contradiction',
    undefined,
  ],
  [
    'a hint after a report of payment changes nothing',
    declined,
    { message: { kind: 'hint' }, intent: { reportedAt: later(now, -1) } },
    'kept',
    undefined,
  ],
  [
    'a callback about a settled attempt contradicts',
    { ...declined, providerRequestId: 'ws_1' },
    { intent: settled },
    'contradiction',
    undefined,
  ],
  [
    'a callback about a failed attempt stops its queries',
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
  ['does not fail a prompt', {}, 'kept'],
  ['does not fail a prompt that a hint calls declined', { declinedHint: 'known_source' }, 'kept'],
  ['does not fail a card payment', { intent: { rail: 'card' } }, 'kept'],
  [
    'does not fail a card payment whose page a browser has left',
    {
      intent: { rail: 'card' },
      card: { feeMinor: 0n, expiresAt: now },
      declinedHint: 'unknown_source',
    },
    'kept',
  ],
  [
    'fails a card payment when the gateway has notified us that its payer left the page',
    { intent: { rail: 'card' }, declinedHint: 'known_source' },
    'failed',
  ],
  [
    'does not fail a card payment that was reported as paid, though its payer left the page',
    { intent: { rail: 'card', reportedAt: now }, declinedHint: 'known_source' },
    'kept',
  ],
])('"not found" %s', (_, changes, result) => {
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
  ['does not settle without a report', [], 'kept', undefined],
  ['settles by the receipt of one report', [report()], 'settled', 'R1'],
  ['does not settle by a receipt that is posted', [report({ isPosted: true })], 'kept', undefined],
  ['does not settle by a report of weak evidence', [report({ strength: 'E2' })], 'kept', undefined],
  ['does not settle by a report without a receipt', [report({ receipt: '' })], 'kept', undefined],
  ['does not settle by two reports', [report(), report({ receipt: 'R2' })], 'kept', undefined],
])('"paid" without a receipt %s', (_, reports, result, settledBy) => {
  const { applied, writes } = decide({ kind: 'paid' }, { message: query, reports })
  expect(applied.result).toBe(result)
  expect(writes?.intent?.receipt ?? undefined).toBe(settledBy)
  if (result === 'kept') {
    expect(writes?.intent).toMatchObject({
      receiptWanted: true,
      queryAt: now,
      reportedAt: now,
    })
    // The answer must not take one of several receipts, or the next "paid" would settle by the other one.
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
  ['from an unlisted address is listed', { message: { isSourceKnown: false } }, {}, true],
  [
    'from an unlisted address and of another amount is not listed',
    { message: { isSourceKnown: false } },
    { amountMinor: 1n },
    false,
  ],
  ['in an unbound hint is not listed', { message: { kind: 'hint', isBound: false } }, {}, false],
  [
    'in a signed hint is listed',
    { message: { kind: 'hint', isBound: false } },
    { isSigned: true },
    true,
  ],
  [
    'in a hint, whose receipt the journal has, is not listed',
    { message: { kind: 'hint' }, isPosted: true },
    {},
    false,
  ],
  [
    'that is stronger than the listed one is listed again',
    {
      message: { isSourceKnown: false },
      reports: [report({ strength: 'E1' })],
    },
    {},
    true,
  ],
  [
    'that is weaker than the listed one is not listed again',
    { message: { isSourceKnown: false }, reports: [report()] },
    {},
    false,
  ],
])('a report of payment %s', (_, changes, reported, isListed) => {
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

import { type Changes, failed, decide, receipt, report, now } from './decide-evidence.harness'
import { later, type Fact } from './state'

test('the first report holds the intent open and makes a query due at once; the next does neither', () => {
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
    ...{ minor: 100_001n, strength: 'E3', paidAt: null },
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
])('lists a report of payment or not: %s', (_, changes, said, isListed) => {
  expect(decide(receipt(said), changes).writes?.report !== undefined).toBe(isListed)
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

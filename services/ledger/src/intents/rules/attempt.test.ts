import {
  type AttemptFacts,
  attemptOf,
  isDeniedByAnswers,
  isFoundUnpaid,
  mayHavePaid,
  openReportOf,
  summarize,
} from './attempt'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 9, minute))

const failed: AttemptFacts = {
  ...{ intentId: 'pi_1', status: 'failed', event: 'declined', rail: 'mtn_momo', phone: '256' },
  ...{ cause: 'cancelled', startedAt: at(0), isEnded: true, settledAt: undefined },
  ...{ settledMinor: undefined, receipt: undefined, disposition: undefined },
  ...{ isReceiptWanted: false, reportedAt: undefined, reports: [], isDeclinedByCallback: false },
  ...{ attemptReference: 'M0', queuedAt: undefined, submittedAt: at(1), deadlineAt: undefined },
  isPushUnanswered: false,
}
const inFlight: AttemptFacts = {
  ...failed,
  ...{ status: 'pending', event: 'accepted', cause: undefined, isEnded: false, deadlineAt: at(6) },
}
const paid: AttemptFacts = {
  ...failed,
  ...{ status: 'completed', event: 'confirmed', cause: undefined, settledAt: at(2) },
  ...{ settledMinor: 100n, receipt: 'R1', disposition: 'merchant' },
}
const closed = { hasReceipt: true, isReceiptClosed: true, isIntentClosed: false }
const open = { ...closed, isReceiptClosed: false }
const reported = { ...failed, reportedAt: at(3) }

test.each<[string, AttemptFacts, boolean]>([
  ['its one report is closed', { ...reported, reports: [closed] }, true],
  ['one of two reports is open', { ...reported, reports: [closed, open] }, false],
  [
    'a report without a receipt is closed under its receipt alone',
    { ...reported, reports: [{ ...closed, hasReceipt: false }] },
    false,
  ],
  ['no report of it is stored', reported, false],
  ['it was never reported', { ...failed, reports: [closed] }, false],
  ['it was settled', { ...paid, reportedAt: at(3), reports: [closed] }, false],
  [
    'our own query was answered "paid"',
    { ...reported, isReceiptWanted: true, reports: [closed] },
    false,
  ],
])('decides whether an attempt counts as found unpaid when %s', (_, attempt, expected) => {
  expect(isFoundUnpaid(attempt)).toBe(expected)
})

test.each<[string, AttemptFacts, boolean]>([
  ['was declined', failed, false],
  ['is in flight', inFlight, false],
  ['is in flight and reported', { ...inFlight, reportedAt: at(3) }, false],
  ['ended without an answer', { ...failed, cause: 'unconfirmed' }, true],
  ['ended and was reported', reported, true],
  ['ended, was reported, and was found unpaid', { ...reported, reports: [closed] }, false],
  ['paid the merchant', paid, false],
  ['paid, and its money is in suspense', { ...paid, disposition: 'suspense_duplicate' }, true],
  ['paid, and its money was given back', { ...paid, disposition: 'refunded' }, false],
])('decides whether an attempt that %s may still have paid', (_, attempt, expected) => {
  expect(mayHavePaid(attempt)).toBe(expected)
})

test.each<[string, AttemptFacts, boolean]>([
  ['declined by an answer alone', failed, true],
  ['declined by a callback', { ...failed, isDeclinedByCallback: true }, false],
  ['by card', { ...failed, rail: 'card' }, false],
  ['refused when it was sent', { ...failed, event: 'refused' }, false],
  ['expired', { ...failed, status: 'expired' }, false],
])('decides whether status answers alone denied an attempt %s', (_, attempt, expected) => {
  expect(isDeniedByAnswers(attempt)).toBe(expected)
})

test('a report is open until the attempt is settled or found unpaid', () => {
  expect(openReportOf(reported)).toEqual(at(3))
  expect(openReportOf({ ...reported, settledAt: at(4) })).toBeUndefined()
  expect(openReportOf({ ...reported, reports: [closed] })).toBeUndefined()
  expect(openReportOf(failed)).toBeUndefined()
})

test('shows the prompt of an attempt in flight, and of no other', () => {
  const prompt = { attemptReference: 'M0', sentAt: at(1), deadlineAt: at(6) }
  expect(attemptOf(inFlight).prompt).toEqual({ ...prompt, isQueued: false, isUnanswered: false })
  expect(attemptOf({ ...inFlight, status: 'reserved', queuedAt: at(0) }).prompt).toEqual({
    ...{ ...prompt, isQueued: true, isUnanswered: false },
  })
  expect(attemptOf({ ...inFlight, status: 'submitted', isPushUnanswered: true }).prompt).toEqual({
    ...{ ...prompt, isQueued: false, isUnanswered: true },
  })
  expect(attemptOf(failed).prompt).toBeUndefined()
  expect(attemptOf({ ...inFlight, attemptReference: undefined }).prompt).toBeUndefined()
})

test('summarizes attempts, and names the rail of the newest one that only status queries reported unpaid', () => {
  const card = { ...failed, rail: 'card' } as const
  const airtel = { ...failed, rail: 'airtel_money' } as const
  expect(summarize([failed, airtel, card, { ...failed, status: 'expired' }, inFlight])).toEqual({
    ...{ failedAttempts: 4, mayHavePaid: false, isFoundUnpaid: false, deniedRail: 'airtel_money' },
  })
  expect(summarize([reported, paid])).toMatchObject({ mayHavePaid: true, failedAttempts: 1 })
  expect(summarize([{ ...reported, reports: [closed] }])).toMatchObject({ isFoundUnpaid: true })
  expect(summarize([])).toEqual({
    ...{ failedAttempts: 0, mayHavePaid: false, isFoundUnpaid: false, deniedRail: undefined },
  })
})

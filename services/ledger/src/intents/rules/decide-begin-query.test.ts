import { later } from '../../evidence/rules/state'
import {
  nextQueryAt,
  nextWatchAt,
  decideBeginQuery,
  type QueryState,
  decideExpiry,
  type OverdueState,
} from './decide-begin-query'

const now = Date.parse('2026-11-20T12:00:00Z') * 1_000
const every = 15
const micro = 0.000_001

const ended = { now, isEnded: true, receiptWanted: false }
const after = (seconds: number | null) => (seconds === null ? null : later(now, seconds))

test.each([0, 20_000, 300_000])(
  '%d s after its prompt an intent in flight is queried again 15 s later',
  (age) => {
    for (const receiptWanted of [true, false]) {
      const request = { now, submittedAt: later(now, -age), isEnded: false, receiptWanted }
      expect(nextQueryAt(request, every)).toBe(after(15))
    }
  },
)

test.each([
  [0, 15],
  [60, 15],
  [600, 150],
  [14_400, 3_600],
  [20_000, 3_600],
  [255_599, 3_600],
  [255_600, null],
  [300_000, null],
])('%d s after its prompt an intent that has ended is queried again %p s later', (age, seconds) => {
  const submittedAt = later(now, -age)
  expect(nextQueryAt({ ...ended, submittedAt }, every)).toBe(after(seconds))
  expect(nextWatchAt({ now, submittedAt }, every)).toBe(after(seconds))
})

test.each([
  [599, 15],
  [600 - micro, 15],
  [600, 150],
])('%d s after its prompt a missing receipt is queried again %d s later', (age, seconds) => {
  const submittedAt = now - Math.round(age * 1_000_000)
  expect(nextQueryAt({ ...ended, submittedAt, receiptWanted: true }, every)).toBe(after(seconds))
})

test('an intent that was never sent is not queried once it has ended', () => {
  expect(nextQueryAt({ ...ended, submittedAt: null, receiptWanted: true }, every)).toBeNull()
})

test('the time of the next query is in whole microseconds', () => {
  const submittedAt = later(now, -1_000) - 3
  expect(nextQueryAt({ ...ended, submittedAt }, every)).toBe(now + 250_000_001)
  expect(nextQueryAt({ ...ended, submittedAt, isEnded: false }, 1 / 3)).toBe(now + 333_333)
})

const due: QueryState = {
  ...{ now, id: 'pi_1', rail: 'mpesa', queryAt: now, submittedAt: later(now, -4_000) },
  ...{ isEnded: false, receiptWanted: false, isReportedOrDenied: false },
}
const terms = { queryEverySeconds: every, queryAfterSeconds: 180 }
const endedDue = { ...due, isEnded: true }
const askedAgain = (seconds: number) => ({
  ...{ id: 'pi_1', askedAt: now },
  queryAt: later(now, seconds),
})

test('hands out a status query as soon as it is due, and not before', () => {
  expect(decideBeginQuery(due, terms)).toEqual(askedAgain(15))
  expect(decideBeginQuery({ ...due, queryAt: now + 1 }, terms)).toBeUndefined()
  expect(decideBeginQuery({ ...due, queryAt: null }, terms)).toBeUndefined()
})

test.each<[string, Partial<QueryState>, number]>([
  ['as late as it would have been queried first', {}, 180],
  ['15 s later once it was reported as paid or denied', { isReportedOrDenied: true }, 15],
  ['15 s later while its receipt is missing', { receiptWanted: true }, 15],
  ['15 s later once it has ended', { isEnded: true }, 15],
  ['15 s later where it was first queried in time', { submittedAt: later(now, -180) }, 15],
])('an intent that is queried as soon as it is sent is queried again %s', (_, told, seconds) => {
  expect(decideBeginQuery({ ...due, submittedAt: now, ...told }, terms)).toEqual(
    askedAgain(seconds),
  )
})

test('queries an intent that has ended again at longer intervals, and no more 72 hours after its prompt', () => {
  expect(decideBeginQuery(endedDue, terms)).toEqual(askedAgain(1_000))
  const last = { ...endedDue, submittedAt: later(now, -72 * 3_600) }
  expect(decideBeginQuery(last, terms)).toEqual({ id: 'pi_1', askedAt: now, queryAt: null })
})

test.each([
  ['mtn_momo', later(now, 27 * 86_400), later(now, 6 * 3_600)],
  ['airtel_money', later(now, 27 * 86_400), later(now, 6 * 3_600)],
  ['mpesa', null, null],
  ['card', null, null],
] as const)(
  'after 72 hours an intent by %s is queried once more, a month after its prompt and for the day after, if the rail has no statement',
  (rail, queryAt, again) => {
    const last = { ...endedDue, rail, submittedAt: later(now, -72 * 3_600) }
    expect(decideBeginQuery(last, terms)?.queryAt).toBe(queryAt)
    for (const ageSeconds of [30 * 86_400, 31 * 86_400 - 1]) {
      const monthOld = { ...last, submittedAt: later(now, -ageSeconds) }
      expect(decideBeginQuery(monthOld, terms)?.queryAt).toBe(again)
    }
    const older = { ...last, submittedAt: later(now, -31 * 86_400) }
    expect(decideBeginQuery(older, terms)?.queryAt).toBeNull()
  },
)

const overdue: OverdueState = {
  ...{ now, id: 'pi_1', status: 'pending', deadlineAt: now },
  ...{ submittedAt: later(now, -120), receiptWanted: false },
}
const expired = { id: 'pi_1', status: 'expired', event: 'lapsed', endedAt: now }

test('an intent expires at its deadline, and not before', () => {
  expect(decideExpiry(overdue, every)).toMatchObject(expired)
  expect(decideExpiry({ ...overdue, deadlineAt: now + 1 }, every)).toBeUndefined()
})

test.each(['submitted', 'pending'] as const)(
  'the provider of an expired intent that was %s is queried again, more seldom, as money may still come',
  (status) => {
    const write = decideExpiry({ ...overdue, status }, every)
    expect(write).toEqual({ ...expired, cause: 'unconfirmed', queryAt: later(now, 30) })
  },
)

test.each(['created', 'reserved'] as const)(
  'the provider of an expired intent that was %s is not queried, as its payer saw no prompt',
  (status) => {
    const write = decideExpiry({ ...overdue, status, submittedAt: null }, every)
    expect(write).toEqual({ ...expired, cause: 'not_started', queryAt: null })
  },
)

test('an expired intent whose receipt is missing is queried again at the usual interval', () => {
  expect(decideExpiry({ ...overdue, receiptWanted: true }, every)?.queryAt).toBe(later(now, 15))
})

test('an intent that expires 72 hours after its prompt is not queried again', () => {
  const late = { ...overdue, submittedAt: later(now, -72 * 3_600) }
  expect(decideExpiry(late, every)).toEqual({ ...expired, cause: 'unconfirmed', queryAt: null })
})

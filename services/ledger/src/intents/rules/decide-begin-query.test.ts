import { later } from '../settlement/state'
import { nextQueryAt, nextWatchAt } from './next-query-at'

const now = Date.parse('2026-11-20T12:00:00Z') * 1_000
const every = 15
const micro = 0.000_001

const ended = { now, isEnded: true, receiptWanted: false }
const after = (seconds: number | null) => (seconds === null ? null : later(now, seconds))

test.each([0, 20_000, 300_000])(
  '%d s after its prompt an intent in flight is queried again 15 s later',
  (age) => {
    for (const receiptWanted of [true, false]) {
      const asked = { now, submittedAt: later(now, -age), isEnded: false, receiptWanted }
      expect(nextQueryAt(asked, every)).toBe(after(15))
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

test('returns whole microseconds', () => {
  const submittedAt = later(now, -1_000) - 3
  expect(nextQueryAt({ ...ended, submittedAt }, every)).toBe(now + 250_000_001)
  expect(nextQueryAt({ ...ended, submittedAt, isEnded: false }, 1 / 3)).toBe(now + 333_333)
})

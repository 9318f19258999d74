import { later } from '../../evidence/rules/state'
import { decideExpiry, type OverdueState } from './decide-expiry'

const now = Date.parse('2026-11-20T12:00:00Z') * 1_000
const every = 15
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
  'the money of one that is %s may still come: the provider is asked again, more seldom',
  (status) => {
    const write = decideExpiry({ ...overdue, status }, every)
    expect(write).toEqual({ ...expired, cause: 'unconfirmed', queryAt: later(now, 30) })
  },
)

test.each(['created', 'reserved'] as const)(
  'one that is %s was asked of no payer, and is not asked about',
  (status) => {
    const write = decideExpiry({ ...overdue, status, submittedAt: null }, every)
    expect(write).toEqual({ ...expired, cause: 'not_started', queryAt: null })
  },
)

test('queries for a missing receipt at a constant interval', () => {
  expect(decideExpiry({ ...overdue, receiptWanted: true }, every)?.queryAt).toBe(later(now, 15))
})

test('makes no query 72 hours after the prompt', () => {
  const late = { ...overdue, submittedAt: later(now, -72 * 3_600) }
  expect(decideExpiry(late, every)).toEqual({ ...expired, cause: 'unconfirmed', queryAt: null })
})

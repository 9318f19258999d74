import { knownSteps } from './known-steps'

const at = (minute: number) => new Date(Date.UTC(2026, 7, 1, 12, minute))
const began = { createdAt: at(0), submittedAt: at(1), settledAt: null, endedAt: null }
const created = { status: 'created', at: at(0) }
const submitted = { status: 'submitted', at: at(1) }

test.each([
  [
    'completed',
    { ...began, status: 'completed', settledAt: at(2), endedAt: at(3) },
    [created, submitted, { status: 'completed', at: at(2) }],
  ],
  [
    'completed, also once it is reversed',
    { ...began, status: 'reversed', settledAt: at(2), endedAt: at(3) },
    [created, submitted, { status: 'completed', at: at(2) }],
  ],
  [
    'failed before it was sent',
    { ...began, status: 'failed', submittedAt: null, endedAt: at(3) },
    [created, { status: 'failed', at: at(3) }],
  ],
  ['pending', { ...began, status: 'pending' }, [created, submitted]],
] as const)('the row of an attempt alone tells when it was %s', (_, attempt, steps) => {
  expect(knownSteps(attempt)).toEqual(steps)
})

import { acceptAct } from './accept-act'

const second = 1_000_000
const act = { now: 1_000 * second, signedAt: 1_000 * second, isKept: false }

test.each([
  [700, false, 'accepted'],
  [1_300, false, 'accepted'],
  [700 - 1 / second, false, 'stale'],
  [1_300 + 1 / second, false, 'stale'],
  [1_000, true, 'repeated'],
  [600, true, 'stale'],
])(
  'an act that was signed at second %p and stored before (%p) is %s at second 1000',
  (at, isKept, outcome) => {
    expect(acceptAct({ ...act, signedAt: at * second, isKept }, 300)).toBe(outcome)
  },
)

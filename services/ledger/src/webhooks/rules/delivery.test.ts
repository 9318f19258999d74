import { judgeAttempt, claimDeliveries } from './delivery'

const before = { attempts: 0, failingSeconds: 0, durationMs: 12, chance: 0 }
const answered = (answerStatus: number) => ({ kind: 'answered', answerStatus }) as const
const unanswered = { kind: 'unanswered', failure: 'timeout' } as const

test.each([200, 204, 299])('the answer %d ends a delivery', (status) => {
  expect(judgeAttempt(answered(status), before)).toEqual({
    delivery: { status: 'delivered' },
    endpoint: 'quick',
  })
})

test.each([
  [2_000, 'quick'],
  [2_001, 'slow'],
])('an endpoint that took an event in %d ms is %s', (durationMs, endpoint) => {
  expect(judgeAttempt(answered(200), { ...before, durationMs }).endpoint).toBe(endpoint)
})

test('410 gives the delivery up and switches the endpoint off', () => {
  expect(judgeAttempt(answered(410), before)).toEqual({
    delivery: { status: 'given_up' },
    endpoint: 'gone',
  })
})

test('an endpoint that the auth service does not know is switched off as removed', () => {
  expect(judgeAttempt({ kind: 'endpoint_unknown' }, before)).toEqual({
    delivery: { status: 'given_up' },
    endpoint: 'removed',
  })
})

test.each([unanswered, answered(199), answered(302), answered(404), answered(500)])(
  '%j is repeated after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h, and then given up',
  (attempt) => {
    const verdicts = Array.from({ length: 9 }, (_, attempts) =>
      judgeAttempt(attempt, { ...before, attempts }),
    )
    expect(verdicts.map(({ delivery }) => delivery)).toEqual([
      ...[5, 30, 300, 1_800, 7_200, 18_000, 36_000, 86_400].map((waitSeconds) => ({
        status: 'pending',
        waitSeconds,
      })),
      { status: 'given_up' },
    ])
    expect(new Set(verdicts.map(({ endpoint }) => endpoint))).toEqual(new Set(['not_working']))
  },
)

test('a wait is prolonged by chance, by a fifth at most', () => {
  expect(judgeAttempt(unanswered, { ...before, attempts: 2, chance: 1 }).delivery).toEqual({
    status: 'pending',
    waitSeconds: 360,
  })
})

test.each([
  [4.9, 8, 'not_working'],
  [5, 8, 'failing'],
  [60, 7, 'not_working'],
  [60, 0, 'not_working'],
])(
  'after %d days in which it took nothing, %d failed tries and one more, an endpoint is "%s"',
  (days, attempts, endpoint) => {
    const failed = { ...before, attempts, failingSeconds: days * 86_400 }
    expect(judgeAttempt(unanswered, failed).endpoint).toBe(endpoint)
  },
)

test('an answer of success after 5 days of failure leaves the endpoint on', () => {
  const late = { ...before, attempts: 8, failingSeconds: 6 * 86_400 }
  expect(judgeAttempt(answered(200), late).endpoint).toBe('quick')
})

const due = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9']
const quick = { isFailing: false, isQuick: true, inHand: 0 }
const slow = { ...quick, isQuick: false }

test.each([
  ['works', quick, due.slice(0, 8)],
  ['is slow', slow, due.slice(0, 8)],
  ['works, and is being sent six', { ...quick, inHand: 6 }, ['d1', 'd2']],
  ['works, and is being sent eight', { ...quick, inHand: 8 }, []],
  ['fails', { ...slow, isFailing: true }, ['d1']],
  ['fails, and is being sent one', { ...slow, isFailing: true, inHand: 1 }, []],
  ['fails, and is still being sent eight', { ...slow, isFailing: true, inHand: 8 }, []],
])(
  'hands out no more deliveries than an endpoint may have at once, for an endpoint that %s',
  (_, endpoint, claimed) => {
    expect(claimDeliveries([{ ...endpoint, due }], 100, 0)).toEqual(claimed)
  },
)

test('hands out one delivery of each endpoint in turn, those with the fewest in hand first, until the limit is reached', () => {
  const endpoints = [
    { ...quick, inHand: 1, due: ['a1', 'a2'] },
    { ...quick, due: ['b1', 'b2', 'b3'] },
    { ...quick, due: ['c1'] },
  ]
  const all = ['b1', 'c1', 'a1', 'b2', 'a2', 'b3']
  expect(claimDeliveries(endpoints, 100, 0)).toEqual(all)
  expect(claimDeliveries(endpoints, 3, 0)).toEqual(all.slice(0, 3))
})

test('hands out a delivery of a quick endpoint before those of slow ones', () => {
  const endpoints = [
    { ...slow, due: ['a1', 'a2'] },
    { ...slow, isFailing: true, due: ['b1', 'b2'] },
    { ...quick, due: ['c1', 'c2'] },
  ]
  expect(claimDeliveries(endpoints, 100, 0)).toEqual(['c1', 'a1', 'b1', 'c2', 'a2'])
})

test.each([
  [0, 32],
  [30, 2],
  [33, 0],
])('slow endpoints that are being sent %d deliveries get %d more together', (inHand, more) => {
  const many = Array.from({ length: 50 }, (_, place) => ({ ...slow, due: [`s${String(place)}`] }))
  const claimed = claimDeliveries([...many, { ...quick, due }], 100, inHand)
  expect(claimed.filter((id) => id.startsWith('s'))).toHaveLength(more)
  expect(claimed.filter((id) => id.startsWith('d'))).toEqual(due.slice(0, 8))
})

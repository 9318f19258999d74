import { judgeAttempt, claimDeliveries } from './delivery'

const before = { attempts: 0, failingSeconds: 0, chance: 0 }
const answered = (answerStatus: number) => ({ kind: 'answered', answerStatus }) as const
const unanswered = { kind: 'unanswered', failure: 'timeout' } as const

test.each([200, 204, 299])('the answer %d ends a delivery', (status) => {
  expect(judgeAttempt(answered(status), before)).toEqual({
    delivery: { status: 'delivered' },
    endpoint: 'working',
  })
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

test('randomises a wait by a fifth at most', () => {
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
  'an endpoint that took nothing for %d days is after %d tries and a failure %s',
  (days, attempts, endpoint) => {
    const failed = { ...before, attempts, failingSeconds: days * 86_400 }
    expect(judgeAttempt(unanswered, failed).endpoint).toBe(endpoint)
  },
)

test('an answer of success after 5 days of failure leaves the endpoint on', () => {
  const late = { ...before, attempts: 8, failingSeconds: 6 * 86_400 }
  expect(judgeAttempt(answered(200), late).endpoint).toBe('working')
})

const due = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9']

test.each([
  ['works', { isFailing: false, inHand: 0 }, due.slice(0, 8)],
  ['works, and has six in hand', { isFailing: false, inHand: 6 }, ['d1', 'd2']],
  ['works, and has all in hand', { isFailing: false, inHand: 8 }, []],
  ['fails', { isFailing: true, inHand: 0 }, ['d1']],
  ['fails, and is being tried', { isFailing: true, inHand: 1 }, []],
  ['fails since a worker got many', { isFailing: true, inHand: 8 }, []],
])('hands out as many deliveries as are free of an endpoint that %s', (_, endpoint, claimed) => {
  expect(claimDeliveries([{ ...endpoint, due }], 100)).toEqual(claimed)
})

test('hands out deliveries of one endpoint after another until the limit is reached', () => {
  const working = { isFailing: false, inHand: 0 }
  const endpoints = [
    { ...working, isFailing: true, due: ['a1', 'a2'] },
    { ...working, due: ['b1', 'b2'] },
  ]
  expect(claimDeliveries(endpoints, 100)).toEqual(['a1', 'b1', 'b2'])
  expect(claimDeliveries(endpoints, 2)).toEqual(['a1', 'b1'])
})

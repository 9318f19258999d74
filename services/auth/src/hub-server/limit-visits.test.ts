import { openLimitVisits } from './limit-visits'

function setUp() {
  const clock = { atMs: 1_000_000, now: () => clock.atMs }
  return { clock, limitVisits: openLimitVisits(clock) }
}

test('allows 300 requests a minute of a session, and then returns when to retry', () => {
  const { clock, limitVisits } = setUp()
  for (let visit = 0; visit < 300; visit += 1) limitVisits('hub', 'ses_1')
  clock.atMs += 20_001
  const refusal = { reason: 'rate_limited', facts: { retry_after_seconds: 40 } }
  expect(() => {
    limitVisits('hub', 'ses_1')
  }).toThrow(expect.objectContaining(refusal))
  limitVisits('hub', 'ses_2')
  clock.atMs += 39_999
  limitVisits('hub', 'ses_1')
})

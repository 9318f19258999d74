import { openSessions } from './sessions'

const minuteMs = 60_000
const operator = { subject: undefined, operatorId: 'op_1' }

function sessionsAt() {
  const clock = { ms: 0, now: () => clock.ms }
  return { clock, sessions: openSessions(clock) }
}

test('finds a session by its token until it is ended', () => {
  const { sessions } = sessionsAt()
  const token = sessions.open(operator, '')
  expect(sessions.find(token)).toEqual(operator)
  sessions.end(token)
  expect(sessions.find(token)).toBeUndefined()
})

test('ends a session that is idle for half an hour, and any after eight hours', () => {
  const { clock, sessions } = sessionsAt()
  const idle = sessions.open(operator, '')
  const used = sessions.open(operator, '')
  for (; clock.ms <= 480 * minuteMs; clock.ms += 29 * minuteMs) sessions.find(used)
  expect(sessions.find(idle)).toBeUndefined()
  expect(sessions.find(used)).toBeUndefined()
})

test('ends what the browser had before when it signs in again', () => {
  const { sessions } = sessionsAt()
  const former = sessions.open(operator, '')
  sessions.open(operator, former)
  expect(sessions.find(former)).toBeUndefined()
})

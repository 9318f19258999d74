import { closeAll, openClient, serve } from './call-streams.harness'
import { deadlineMaxMs } from './waits'

// Only `setTimeout` is faked: sockets work in real time.
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'queueMicrotask',
    ],
  })
})
afterEach(async () => {
  jest.useRealTimers()
  await closeAll()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
const stepMs = 1_000

test('a call on a new connection is still answered just before the longest deadline', async () => {
  const { server, kept } = await serve()
  const calls = openClient(`127.0.0.1:${String(server.port)}`).within(deadlineMaxMs)
  // The first call of a client is unary, as the streams are not open yet.
  const answer = calls.keep(Buffer.from('late'))
  while (kept.length === 0) await turn()
  for (let passedMs = stepMs; passedMs < deadlineMaxMs; passedMs += stepMs) {
    jest.advanceTimersByTime(stepMs)
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  kept[0]?.()
  expect(String(await answer)).toBe('late')
})

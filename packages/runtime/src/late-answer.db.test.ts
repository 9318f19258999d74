import { testRedisUrl } from '@malipo/testing/redis'
import { eventually } from '@malipo/testing/eventually'
import { openCall } from './grpc'
import { openLog } from './log'
import { openRedis } from './redis'
import { openImpatient } from './waits.harness'

test('a call takes an answer that came while this process was busy for longer than the deadline', async () => {
  // Redis plays the server, because the answer must come from another process over a socket.
  const redis = openRedis(testRedisUrl(), openLog('test', 'silent'))
  await eventually('Redis is there', () => redis.status === 'ready')
  const call = openCall('ledger_unavailable')
  // Code after an immediate runs before timers, and timers run before arrived data is read.
  await new Promise(setImmediate)
  const answer = openImpatient(() => {
    const asking = call<string>(50, (_metadata, _options, done) => {
      void redis.ping().then((answer) => {
        done(null, answer)
      })
    })
    const busyUntilMs = performance.now() + 500
    while (performance.now() < busyUntilMs);
    return asking
  })
  expect(await answer).toBe('PONG')
  redis.disconnect()
})

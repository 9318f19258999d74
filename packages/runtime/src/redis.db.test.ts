import { type AddressInfo, createServer } from 'node:net'
import { testRedisUrl } from '@malipo/testing/redis'
import { eventually } from '@malipo/testing/eventually'
import { openLog } from './log'
import { openRedis } from './redis'
import { openImpatient } from './waits.harness'

const log = openLog('test', 'silent')

test('takes an answer that came while the process was busy for longer than the timeout', async () => {
  const redis = await openImpatient(() => Promise.resolve(openRedis(testRedisUrl(), log)))
  await eventually('Redis is there', () => redis.status === 'ready')
  // After an answer of Redis, code runs as for a request: before timers, and before further data is read.
  await redis.ping()
  const answer = redis.ping()
  const busyUntilMs = performance.now() + 1_000
  while (performance.now() < busyUntilMs);
  expect(await answer).toBe('PONG')
  redis.disconnect()
})

test('a refused login is logged without its password', async () => {
  const lines: string[] = []
  const url = new URL(testRedisUrl())
  url.username = 'unknown'
  url.password = 'a-secret-password'
  const redis = openRedis(url.href, openLog('test', 'info', { write: (line) => lines.push(line) }))
  await eventually('it is logged', () => lines.some((line) => line.includes('WRONGPASS')))
  redis.disconnect()
  expect(lines.join()).toContain('"command":{"name":"hello","args":"[redacted]"}')
  expect(lines.join()).not.toContain('a-secret-password')
})

test('a Sentinel that does not answer is asked again', async () => {
  let connections = 0
  const silent = createServer(() => connections++)
  const port = await new Promise<number>((resolve) => {
    silent.listen(0, '127.0.0.1', () => {
      resolve((silent.address() as AddressInfo).port)
    })
  })
  const url = `redis+sentinel://127.0.0.1:${String(port)}/malipo`
  const redis = await openImpatient(() => Promise.resolve(openRedis(url, log)))
  await eventually('it is asked again', () => connections > 1, 10_000)
  redis.disconnect()
  silent.close()
})

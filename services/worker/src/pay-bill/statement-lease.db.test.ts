import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { openLease } from './statement-lease'

const log = openLog('test', 'silent')

test('gives a lease to one of two workers, and to the other when it is released', async () => {
  const options = { redisUrl: testRedisUrl(), key: `${uniquePrefix()}:lease`, log }
  const [one, other] = [openLease(options), openLease(options)]
  // Before the Redis connection is up, `hold` returns true without a lease.
  await eventually('one of them stands by', async () => (await one.hold()) && !(await other.hold()))
  expect([await one.hold(), await other.hold()]).toEqual([true, false])
  await one.release()
  expect(await other.hold()).toBe(true)
  await other.release()
})

test('lets every worker work without Redis', async () => {
  const lease = openLease({ redisUrl: 'redis://127.0.0.1:1', key: 'lease', log })
  expect(await lease.hold()).toBe(true)
  await lease.release()
})

test.each([
  ['never ends', []],
  ['outlasts a lease', ['PX', 3_600_000]],
] as const)('takes over a lease that an unknown client wrote and that %s', async (_, life) => {
  const key = `${uniquePrefix()}:lease`
  const redis = openRedis(testRedisUrl(), log)
  await eventually('Redis is there', () => redis.status === 'ready')
  await redis.call('SET', key, 'an unknown client', ...life)
  const lease = openLease({ redisUrl: testRedisUrl(), key, log })
  await eventually('the lease is written', async () => {
    const isHeld = await lease.hold()
    return isHeld && (await redis.get(key)) !== 'an unknown client'
  })
  await lease.release()
  redis.disconnect()
})

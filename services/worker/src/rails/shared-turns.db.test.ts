import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { openSharedTurns } from './shared-turns'

const log = openLog('test', 'silent')
const pace = { name: 'status', everyMs: 100_000, waitMaxMs: 500_000 }
type Redis = ReturnType<typeof openRedis>
const opened: Redis[] = []

async function connect(): Promise<Redis> {
  const redis = openRedis(testRedisUrl(), log)
  opened.push(redis)
  await eventually('Redis is there', () => redis.status === 'ready')
  return redis
}

const workerOf = async (prefix: string) =>
  openSharedTurns({ redis: await connect(), prefix, now: () => 0 })

/** The wait in whole turns. It is rounded up, because some milliseconds pass between two calls. */
const turnsAway = (waitMs: number | undefined) =>
  waitMs === undefined ? undefined : Math.ceil(waitMs / pace.everyMs)

afterAll(() => {
  for (const redis of opened) redis.disconnect()
})

test("shares a provider's pace among three workers, and refuses a turn beyond it", async () => {
  const prefix = uniquePrefix()
  const workers = await Promise.all([1, 2, 3].map(() => workerOf(prefix)))
  const turns: (number | undefined)[] = []
  for (let call = 0; call < 7; call += 1) turns.push(turnsAway(await workers[call % 3]?.(pace)))
  expect(turns).toEqual([0, 1, 2, 3, 4, 5, undefined])
})

test('paces calls of another name separately', async () => {
  const turn = await workerOf(uniquePrefix())
  await turn(pace)
  expect(await turn({ ...pace, name: 'statement' })).toBe(0)
})

test('uses a tenth of the pace without Redis', async () => {
  const redis = openRedis('redis://127.0.0.1:1', log)
  opened.push(redis)
  const turn = openSharedTurns({ redis, prefix: 'none', now: () => 0 })
  const quick = { ...pace, everyMs: 100, waitMaxMs: 2_000 }
  const waits = [await turn(quick), await turn(quick), await turn(quick), await turn(quick)]
  expect(waits).toEqual([0, 1_000, 2_000, undefined])
})

test.each([
  ['a stored turn that is a year away', String(systemClock.now() + 31_536_000_000)],
  ['a stored value that is no number', 'now'],
])('ignores %s', async (_, written) => {
  const prefix = uniquePrefix()
  const redis = await connect()
  await redis.set(`${prefix}:pace:status`, written)
  const turn = await workerOf(prefix)
  expect([turnsAway(await turn(pace)), turnsAway(await turn(pace))]).toEqual([0, 1])
})

test('ignores a stored value that is not text', async () => {
  const prefix = uniquePrefix()
  const redis = await connect()
  await redis.lpush(`${prefix}:pace:status`, 'now')
  const turn = await workerOf(prefix)
  expect([turnsAway(await turn(pace)), turnsAway(await turn(pace))]).toEqual([0, 1])
})

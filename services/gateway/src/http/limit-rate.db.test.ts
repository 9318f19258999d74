import type { ServerResponse } from 'node:http'
import { Fault } from '@malipo/kernel/errors'
import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { openLimitRate } from './limit-rate'

const log = openLog('test', 'silent')
const redis = openRedis(testRedisUrl(), log)
const nowhere = openRedis('redis://127.0.0.1:1', log)
const policy = { name: 'read', limit: 5, windowSeconds: 60 }

beforeAll(() => eventually('Redis is there', () => redis.status === 'ready'))
afterAll(() => {
  redis.disconnect()
  nowhere.disconnect()
})

/** Clients that share a prefix, as two processes of one host do. */
function stage(connection = redis) {
  const prefix = uniquePrefix()
  const clock = { atMs: 1_000_000, now: () => clock.atMs }
  const open = () => {
    const limitRate = openLimitRate({ redis: connection, prefix, clock })
    return async (subject = 'a', asked = policy) => {
      const headers = new Map<string, string>()
      const response = { setHeader: (name: string, value: string) => headers.set(name, value) }
      const outcome = limitRate(response as unknown as ServerResponse, asked, subject).then(
        () => 'allowed' as const,
        (error: unknown) => error,
      )
      return { outcome: await outcome, headers }
    }
  }
  return { prefix, open, ask: open() }
}

describe.each([
  ['in Redis', () => redis],
  ['here, while Redis is away', () => nowhere],
])('counted %s', (_, connection) => {
  test('the sixth of five is refused, with the seconds to wait', async () => {
    const { ask } = stage(connection())
    for (let request = 0; request < 5; request += 1) expect((await ask()).outcome).toBe('allowed')
    const { outcome } = await ask()
    expect(outcome).toBeInstanceOf(Fault)
    expect(outcome).toMatchObject({ reason: 'rate_limited', facts: { retry_after_seconds: 60 } })
  })

  test('every answer says how its subject stands', async () => {
    const { ask } = stage(connection())
    const first = await ask()
    expect(Object.fromEntries(first.headers)).toEqual({
      'RateLimit-Policy': '"read";q=5;w=60',
      RateLimit: '"read";r=4;t=60',
    })
    for (let request = 0; request < 5; request += 1) await ask()
    expect((await ask()).headers.get('RateLimit')).toMatch(/^"read";r=0;t=\d+$/)
  })

  test('subjects and policies are counted apart', async () => {
    const { ask } = stage(connection())
    for (let request = 0; request < 5; request += 1) await ask()
    expect((await ask('b')).outcome).toBe('allowed')
    expect((await ask('a', { ...policy, name: 'pay' })).outcome).toBe('allowed')
  })
})

test('two processes share one budget', async () => {
  const { open } = stage()
  const [one, other] = [open(), open()]
  for (let request = 0; request < 5; request += 1) await (request % 2 === 0 ? one : other)()
  expect((await one()).outcome).toBeInstanceOf(Fault)
  expect((await other()).outcome).toBeInstanceOf(Fault)
})

test('of many at once exactly as many as allowed get through', async () => {
  const { ask } = stage()
  const all = await Promise.all(Array.from({ length: 40 }, () => ask()))
  expect(all.filter(({ outcome }) => outcome === 'allowed')).toHaveLength(5)
})

test('the window slides: each request makes room when its own time is over', async () => {
  const { ask } = stage()
  const quick = { name: 'quick', limit: 2, windowSeconds: 2 }
  let round = 0
  // A machine that stalls between the requests lets the first of them out of the window.
  const subject = await eventually('no room', async () => {
    const subject = `a${String((round += 1))}`
    await ask(subject, quick)
    await ask(subject, quick)
    return (await ask(subject, quick)).outcome instanceof Fault && subject
  })
  // Those that are refused meanwhile take none.
  await eventually('room again', async () => (await ask(subject, quick)).outcome === 'allowed')
})

test('what is counted leaves Redis with its window', async () => {
  const { ask, prefix } = stage()
  await ask()
  const left = await redis.pttl(`${prefix}:limit:read:a`)
  expect(left).toBeGreaterThan(50_000)
  expect(left).toBeLessThanOrEqual(60_000)
})

test('what was written into Redis with a later date keeps no one out', async () => {
  const { ask, prefix } = stage()
  const later = 4_000_000_000_000
  const forged = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [later, name])
  await redis.zadd(`${prefix}:limit:read:a`, ...forged)
  expect((await ask()).outcome).toBe('allowed')
})

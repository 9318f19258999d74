import type { ServerResponse } from 'node:http'
import { Fault } from '@malipo/kernel/errors'
import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import { continueTrace, withTrace, workForLog } from '@malipo/runtime/telemetry'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { type GiveBack, openLimitRate } from './limit-rate'

const log = openLog('test', 'silent')
const redis = openRedis(testRedisUrl(), log)
const nowhere = openRedis('redis://127.0.0.1:1', log)
const policy = { name: 'read', limit: 5, windowSeconds: 60 }

beforeAll(() => eventually('Redis is there', () => redis.status === 'ready'))
afterAll(() => {
  redis.disconnect()
  nowhere.disconnect()
})

/** Two limiters with one prefix, as two processes of one host have. */
function setUp(connection = redis) {
  const prefix = uniquePrefix()
  const clock = { atMs: 1_000_000, now: () => clock.atMs }
  const open = () => {
    const limitRate = openLimitRate({ redis: connection, prefix, clock })
    return async (subject = 'a', applied = policy) => {
      const headers = new Map<string, string>()
      const response = { setHeader: (name: string, value: string) => headers.set(name, value) }
      let giveBack: GiveBack | undefined
      const outcome = limitRate(response as unknown as ServerResponse, applied, subject).then(
        (back) => {
          giveBack = back
          return 'allowed' as const
        },
        (error: unknown) => error,
      )
      return { outcome: await outcome, headers, giveBack: async () => giveBack?.() }
    }
  }
  return { prefix, open, ask: open() }
}

describe.each([
  ['in Redis', () => redis],
  ['here, while Redis is away', () => nowhere],
])('counted %s', (_, connection) => {
  test('refuses the sixth request where five are allowed, with the seconds to wait', async () => {
    const { ask } = setUp(connection())
    for (let request = 0; request < 5; request += 1) expect((await ask()).outcome).toBe('allowed')
    const { outcome } = await ask()
    expect(outcome).toBeInstanceOf(Fault)
    expect(outcome).toMatchObject({ reason: 'rate_limited', facts: { retry_after_seconds: 60 } })
  })

  test('reports the state of the budget on every answer', async () => {
    const { ask } = setUp(connection())
    const first = await ask()
    expect(Object.fromEntries(first.headers)).toEqual({
      'RateLimit-Policy': '"read";q=5;w=60',
      RateLimit: '"read";r=4;t=60',
    })
    for (let request = 0; request < 5; request += 1) await ask()
    expect((await ask()).headers.get('RateLimit')).toMatch(/^"read";r=0;t=\d+$/)
  })

  test('does not count a request that is given back, up to twenty times the limit', async () => {
    const { ask } = setUp(connection())
    for (let request = 0; request < 100; request += 1) {
      const { outcome, headers, giveBack } = await ask()
      await giveBack()
      expect([outcome, headers.get('RateLimit')]).toEqual([
        'allowed',
        expect.stringMatching(/^"read";r=5;t=\d+$/),
      ])
    }
    for (let request = 0; request < 5; request += 1) await (await ask()).giveBack()
    expect((await ask()).outcome).toBeInstanceOf(Fault)
  })

  test('counts subjects and policies separately', async () => {
    const { ask } = setUp(connection())
    for (let request = 0; request < 5; request += 1) await ask()
    expect((await ask('b')).outcome).toBe('allowed')
    expect((await ask('a', { ...policy, name: 'pay' })).outcome).toBe('allowed')
  })
})

test('adds the subject of a refusal to the log of its request', async () => {
  const { ask } = setUp()
  const logged = await withTrace(continueTrace({}), async () => {
    for (let request = 0; request < 6; request += 1) await ask('203.0.113.77')
    return workForLog()
  })
  expect(logged).toMatchObject({ limited: '203.0.113.77' })
})

test('shares one budget between two processes', async () => {
  const { open } = setUp()
  const [one, other] = [open(), open()]
  for (let request = 0; request < 5; request += 1) await (request % 2 === 0 ? one : other)()
  expect((await one()).outcome).toBeInstanceOf(Fault)
  expect((await other()).outcome).toBeInstanceOf(Fault)
})

test('admits exactly the allowed number of many requests at once', async () => {
  const { ask } = setUp()
  const all = await Promise.all(Array.from({ length: 40 }, () => ask()))
  expect(all.filter(({ outcome }) => outcome === 'allowed')).toHaveLength(5)
})

test('slides the window: each request frees its place when it leaves the window', async () => {
  const { ask } = setUp()
  const quick = { name: 'quick', limit: 2, windowSeconds: 2 }
  let round = 0
  // Tried again, because a stall between the requests lets the first of them leave the window.
  const subject = await eventually('no room', async () => {
    const subject = `a${String((round += 1))}`
    await ask(subject, quick)
    await ask(subject, quick)
    return (await ask(subject, quick)).outcome instanceof Fault && subject
  })
  // The requests that are refused while this polls take no place.
  await eventually('room again', async () => (await ask(subject, quick)).outcome === 'allowed')
})

test('deletes its keys from Redis when the window is over', async () => {
  const { ask, prefix } = setUp()
  await ask()
  const left = await redis.pttl(`${prefix}:limit:read:a`)
  expect(left).toBeGreaterThan(50_000)
  expect(left).toBeLessThanOrEqual(60_000)
})

test('ignores entries in Redis that are dated in the future', async () => {
  const { ask, prefix } = setUp()
  const later = 4_000_000_000_000
  const forged = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [later, name])
  await redis.zadd(`${prefix}:limit:read:a`, ...forged)
  expect((await ask()).outcome).toBe('allowed')
})

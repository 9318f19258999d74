import { openAnnounce, openChanges } from '@malipo/runtime/changes'
import { openLog } from '@malipo/runtime/log'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { Redis } from 'ioredis'
import { mergeChanges } from './open-cells'

test('an id is announced by any cell, until its watch ends', async () => {
  const prefixes = [uniquePrefix(), uniquePrefix()]
  const log = openLog('test', 'silent')
  const open = (prefix: string) => openChanges({ redisUrl: testRedisUrl(), prefix, log })
  const changes = mergeChanges(prefixes.map(open))
  const redis = new Redis(testRedisUrl())
  const announced: string[] = []
  const collected = changes.collect()
  for (const [cell, prefix] of prefixes.entries()) {
    const id = `pi_${String(cell)}`
    const end = changes.watch(id, () => announced.push(id))
    // Announcements are lost until the subscription is made, so it is announced again until it arrives.
    await eventually('the announcement comes', () => {
      openAnnounce(redis, prefix)([id])
      return Promise.resolve(announced.includes(id) && collected.has(id))
    })
    end()
  }
  const before = announced.length
  const last = changes.watch('last', () => announced.push('last'))
  await eventually('a later announcement comes', () => {
    openAnnounce(redis, prefixes[0] ?? '')(['pi_0', 'last'])
    return Promise.resolve(announced.includes('last'))
  })
  last()
  expect(announced.slice(before).filter((id) => id !== 'last')).toEqual([])
  changes.close()
  redis.disconnect()
})

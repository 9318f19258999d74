import { openOwnTurns, type TakeTurn } from '@malipo/rails/pace'
import type { openRedis } from '@malipo/runtime/redis'

/** Without Redis a worker cannot see the others, and uses this part of the pace: safe for up to ten workers. */
const partAlone = 10

/**
 * Takes the next turn of a pace by Redis's clock. A turn further ahead than any worker sets is corrupt, and is
 * ignored: it must not block queries of payments.
 */
const take = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local every, waitMax = tonumber(ARGV[1]), tonumber(ARGV[2])
  local kept = redis.pcall('GET', KEYS[1])
  local at = type(kept) == 'string' and tonumber(kept) or now
  if at < now or at > now + waitMax + every then at = now end
  local wait = at - now
  if wait > waitMax then return -1 end
  redis.call('SET', KEYS[1], at + every, 'PX', wait + every)
  return wait`

/** The turns shared by all workers with the same Redis and prefix. */
export function openSharedTurns(options: {
  readonly redis: ReturnType<typeof openRedis>
  readonly prefix: string
  readonly now: () => number
}): TakeTurn {
  const takeAlone = openOwnTurns(options.now)
  return async (pace) => {
    const { name, everyMs, waitMaxMs } = pace
    const key = `${options.prefix}:pace:${name}`
    const waitMs = await options.redis.eval(take, 1, key, everyMs, waitMaxMs).catch(() => undefined)
    if (typeof waitMs !== 'number') return takeAlone({ ...pace, everyMs: everyMs * partAlone })
    return waitMs < 0 ? undefined : waitMs
  }
}

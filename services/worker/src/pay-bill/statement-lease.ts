import { randomBytes } from 'node:crypto'
import type { Log } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'

/**
 * How long a killed process keeps a lease: longer than an event loop or Redis normally stalls. After a longer stall
 * two workers do the work for a while, which is safe.
 */
const leaseMs = 10_000
/** How often the holder renews the lease, and others try to take it: a takeover takes at most twelve seconds. */
export const renewLeaseMs = 2_000

/** Keeps work to one process at a time, where several would be safe but wasteful. */
export interface Lease {
  /** Takes or renews the lease. Also true while Redis is down: work done twice is better than work not done. */
  hold(): Promise<boolean>
  /** Releases the lease, if held, so that another process takes it at once. */
  release(): Promise<void>
}

/** Takes or renews the lease. A lease that expires later than any worker sets is corrupt, and is replaced. */
const renew = `
  local holder = redis.call('GET', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  if holder and holder ~= ARGV[1] and left >= 0 and left <= tonumber(ARGV[2]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`
const giveBack = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

export function openLease(options: {
  readonly redisUrl: string
  readonly key: string
  readonly log: Log
}): Lease {
  const redis = openRedis(options.redisUrl, options.log)
  const holder = randomBytes(8).toString('hex')
  return {
    async hold() {
      const answer = await redis.eval(renew, 1, options.key, holder, leaseMs).catch(() => undefined)
      return answer !== 0
    },
    async release() {
      await redis.eval(giveBack, 1, options.key, holder).catch(() => undefined)
      redis.disconnect()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { openRedis } from '@malipo/runtime/redis'
import type { Log } from '@malipo/runtime/log'

/**
 * A process that was killed keeps a lease for so long. It is longer than an event loop or Redis ordinarily stands still;
 * where one does, two do the work for a while, which is safe.
 */
const leaseMs = 10_000
/** How often a holder renews it, and another asks whether it is free: it is taken over within twelve seconds. */
export const renewLeaseMs = 2_000

/** Keeps work to one process at a time that may safely be done by several. */
export interface Lease {
  /** Takes the lease, or renews it. True as well while Redis is away: work done twice is better than not done. */
  hold(): Promise<boolean>
  /** Gives it back, if it is held, so that another process takes it at once. */
  release(): Promise<void>
}

/** A lease that would outlast ours was not taken by a worker, and must not keep the work from being done. */
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

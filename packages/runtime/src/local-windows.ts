import { LRUCache } from 'lru-cache'
import type { Clock } from './clock'

/** At most `limit` requests of one subject in any `windowSeconds`. */
export interface RatePolicy {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** The state of the window after one request. */
export interface Standing {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Until the oldest request leaves the window and makes room. */
  readonly waitMs: number
  /** Takes a request that was allowed out of the window again. */
  readonly giveBack: () => unknown
}

/** Bounds memory: a flood of subjects evicts the oldest windows. */
const subjectsMax = 20_000

/**
 * The sliding window of the gateway's limit-rate.lua, counted in this process: for services without Redis, and while
 * Redis is away. With n processes a client gets n times the limit, which is better than no limit or no service.
 */
export function openLocalWindows(clock: Clock): (policy: RatePolicy, subject: string) => Standing {
  const logs = new LRUCache<string, readonly number[]>({ max: subjectsMax })
  return (policy, subject) => {
    const now = clock.now()
    const windowMs = policy.windowSeconds * 1_000
    const key = `${policy.name}:${subject}`
    const counted = (logs.get(key) ?? []).filter(
      // A request of a time to come was counted before the clock was set back.
      (at) => at > now - windowMs && at <= now,
    )
    const isAllowed = counted.length < policy.limit
    const log = isAllowed ? [...counted, now] : counted
    logs.set(key, log)
    return {
      isAllowed,
      remaining: policy.limit - log.length,
      waitMs: (log[0] ?? now) + windowMs - now,
      giveBack: () => {
        const left = logs.get(key) ?? []
        const place = isAllowed ? left.lastIndexOf(now) : -1
        logs.set(
          key,
          left.filter((_, index) => index !== place),
        )
      },
    }
  }
}

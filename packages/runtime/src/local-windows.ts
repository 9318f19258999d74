import { LRUCache } from 'lru-cache'
import type { Clock } from './clock'

/** At most `limit` requests of one subject in any `windowSeconds`. */
export interface RatePolicy {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** How one request stands in its window. */
export interface Standing {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Until the oldest request leaves the window and makes room. */
  readonly waitMs: number
}

/** A flood of subjects evicts other windows, and never grows this process. */
const subjectsMax = 20_000

/**
 * The rule of the gateway's limit-rate.lua in this process alone: where Redis is away, or not used. Laxer by the
 * number of processes, and better than no limit and than no service.
 */
export function openLocalWindows(clock: Clock): (policy: RatePolicy, subject: string) => Standing {
  const logs = new LRUCache<string, readonly number[]>({ max: subjectsMax })
  return (policy, subject) => {
    const now = clock.now()
    const windowMs = policy.windowSeconds * 1_000
    const key = `${policy.name}:${subject}`
    const counted = (logs.get(key) ?? []).filter((at) => at > now - windowMs)
    const isAllowed = counted.length < policy.limit
    const log = isAllowed ? [...counted, now] : counted
    logs.set(key, log)
    return {
      isAllowed,
      remaining: policy.limit - log.length,
      waitMs: (log[0] ?? now) + windowMs - now,
    }
  }
}

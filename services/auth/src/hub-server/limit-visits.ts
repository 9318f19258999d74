import { Fault } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import { openLocalWindows, type RatePolicy } from '@malipo/runtime/local-windows'

const policies = {
  /**
   * Counted by session; more than any page needs. If it was counted by account, the thief of one session could use up
   * the limit and keep the owner from ending that session.
   */
  hub: { name: 'hub', limit: 300, windowSeconds: 60 },
  /** Counted by account; low, because one file needs up to two hundred calls to the ledger. */
  file: { name: 'file', limit: 5, windowSeconds: 60 },
  /** Counted by address, as the payments hosts count look-ups of handles. */
  profile: { name: 'profile', limit: 120, windowSeconds: 60 },
} as const satisfies Record<string, RatePolicy>

/** Counts a request of a session, an account or an address. Fault: rate_limited, with `retry_after_seconds`. */
export type LimitVisits = (policy: keyof typeof policies, subject: string) => void

/**
 * Counts in memory, because a page must not wait for a counter. Tries of passwords and PINs are counted in the
 * database.
 */
export function openLimitVisits(clock: Clock): LimitVisits {
  const count = openLocalWindows(clock)
  return (policy, subject) => {
    const { isAllowed, waitMs } = count(policies[policy], subject)
    if (isAllowed) return
    throw new Fault('rate_limited', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  }
}

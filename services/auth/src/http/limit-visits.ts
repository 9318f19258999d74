import { Fault } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import { openLocalWindows, type RatePolicy } from '@malipo/runtime/local-windows'

const policies = {
  /** Of a session: more than any page asks. Not of an account, or the thief of one session could keep its owner from revoking. */
  hub: { name: 'hub', limit: 300, windowSeconds: 60 },
  /** Of an account: one file is up to a hundred questions to the ledger. */
  file: { name: 'file', limit: 5, windowSeconds: 60 },
  /** Of an address, as where the payments hosts resolve handles. */
  profile: { name: 'profile', limit: 120, windowSeconds: 60 },
} as const satisfies Record<string, RatePolicy>

/** Counts a request of a session. Fault: rate_limited, with `retry_after_seconds`. */
export type LimitVisits = (policy: keyof typeof policies, subject: string) => void

/** In this process, because a page must not wait for a count; tries at secrets are counted in the database. */
export function openLimitVisits(clock: Clock): LimitVisits {
  const count = openLocalWindows(clock)
  return (policy, subject) => {
    const { isAllowed, waitMs } = count(policies[policy], subject)
    if (isAllowed) return
    throw new Fault('rate_limited', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  }
}

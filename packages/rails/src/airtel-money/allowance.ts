/** How many calls Airtel still takes from us, as its answers say. */
export interface Allowance {
  note(headers: Headers): void
  /** No call is left in this minute. */
  isSpent(): boolean
}

const minuteMs = 60_000

/**
 * The gateway counts calls by the minute of the clock, as it seems: a call that comes a moment early is turned away for its
 * rate and comes again.
 */
export function openAllowance(now: () => number): Allowance {
  let spentUntilMs = 0
  return {
    note(headers) {
      if (headers.get('x-ratelimit-remaining-minute') !== '0') return
      spentUntilMs = (Math.floor(now() / minuteMs) + 1) * minuteMs
    },
    isSpent: () => now() < spentUntilMs,
  }
}

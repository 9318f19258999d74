import { z } from 'zod'

/** How many calls Airtel still takes from us in this minute, as its answers say. */
export interface Allowance {
  note(headers: Headers): void
  /**
   * Takes one call. False where none is left: of the last half of a minute's calls for any but a prompt, so that a
   * flood of enquiries holds up no payer, and of three quarters for an enquiry about an ended payment (`watch`), so that
   * those about payments in flight are made.
   */
  take(call: keyof typeof keptOf): boolean
}

/** Which part of a minute's calls each kind of call leaves to others. */
const keptOf = { prompt: 0, other: 1 / 2, watch: 3 / 4 } as const

const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .pipe(z.coerce.number())

const minuteOf = (ms: number) => Math.floor(ms / 60_000)

/**
 * Airtel seems to count calls by the minute of the clock. If it does not, a call that comes too early is refused for
 * its rate: a payment is sent again within its wait, an enquiry made later, and a refund refused as busy.
 */
export function openAllowance(now: () => number): Allowance {
  let limit: number | undefined
  let minute = -Infinity
  let left = Infinity

  const beginMinute = () => {
    if (minuteOf(now()) === minute) return
    minute = minuteOf(now())
    left = limit ?? Infinity
  }

  return {
    note(headers) {
      beginMinute()
      const ofMinute = count.safeParse(headers.get('x-ratelimit-limit-minute')).data ?? 0
      // With a limit of none no call would be made any more, and so no answer would name another limit.
      if (ofMinute > 0) limit = ofMinute
      // Airtel has not counted the calls that are under way, and we have not counted those of other workers.
      const told = count.safeParse(headers.get('x-ratelimit-remaining-minute')).data ?? Infinity
      left = Math.min(left, told)
    },
    take(call) {
      beginMinute()
      const kept = Math.floor((limit ?? 0) * keptOf[call])
      if (left <= kept) return false
      left -= 1
      return true
    },
  }
}

/** The time of this process, in milliseconds since 1970. Only caches and logs use it: what money hangs on is decided
 *  by the database clock. Tests pass their own. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

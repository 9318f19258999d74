/**
 * A time in milliseconds. Only caches and logs use it: decisions about money use the database's clock. Tests pass a
 * fake one.
 */
export interface Clock {
  now(): number
}

/** Milliseconds since 1970, by the machine's clock, which may be set back. */
export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds since the process began, which no change of the machine's time moves. */
export const steadyClock: Clock = { now: () => performance.now() }

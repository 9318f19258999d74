/**
 * A time in milliseconds. Only caches and logs use it: decisions about money use the database's clock. Tests pass a
 * fake one.
 */
export interface Clock {
  now(): number
}

/** The process's time since 1970. */
export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds since the process began, which no change of the machine's time moves. */
export const steadyClock: Clock = { now: () => performance.now() }

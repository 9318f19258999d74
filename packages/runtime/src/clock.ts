/**
 * The process's time in milliseconds since 1970. Only caches and logs use it: decisions about money use the
 * database's clock. Tests pass a fake one.
 */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

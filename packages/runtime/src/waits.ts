let factor = 1

/**
 * The timeouts of calls between processes; each is written at its call. A stalled machine is no error of a service,
 * so tests stretch all waits except the tested ones.
 */
export function waitOf(milliseconds: number): number {
  return milliseconds * factor
}

/** Multiplies every wait that begins later in this process. */
export function stretchWaits(times: number): void {
  factor = times
}

/** How long a call may outlive its caller's deadline. It is rarely cancelled: see `openCall`. */
export const graceMs = 5_000

/**
 * Calls `late` after so long, unless the returned function was called before. What arrived while this process was busy is read
 * first: a timer fires before that, and an immediate runs after it.
 */
export function whenLate(waitMs: number, late: () => void): () => void {
  const timer = setTimeout(() => {
    setImmediate(late)
  }, waitMs)
  return () => {
    clearTimeout(timer)
  }
}

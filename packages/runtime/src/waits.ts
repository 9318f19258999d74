let factor = 1

/**
 * A timeout of a call, from the milliseconds in the code. Tests stretch all timeouts except the tested ones, because a
 * stalled machine is no error of a service.
 */
export function waitOf(milliseconds: number): number {
  return milliseconds * factor
}

/** Multiplies every wait that begins later in this process. */
export function stretchWaits(times: number): void {
  factor = times
}

/** The longest deadline of a call between processes: the audit of a large ledger may take minutes. */
export const deadlineMaxMs = 600_000

/** How long a call may outlive its caller's deadline, so that it is rarely cancelled: see `openCall`. */
export const graceMs = 5_000

/**
 * Calls `late` after `waitMs`, unless the returned function was called before that. Data that arrived while this
 * process was busy is read before `late` runs: a timer fires before that data is read, so `late` waits for
 * `setImmediate`, which runs after. `late` may still run just after the answer was read, and must then change nothing.
 */
export function whenLate(waitMs: number, late: () => void): () => void {
  const timer = setTimeout(() => {
    setImmediate(late)
  }, waitMs)
  return () => {
    clearTimeout(timer)
  }
}

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

let factor = 1

/**
 * How long a process waits for the answer of another: as it is written where it is called. A machine that stalls for
 * seconds is no fault of a service, so tests of anything but a wait stretch all of them.
 */
export function waitOf(milliseconds: number): number {
  return milliseconds * factor
}

/** Makes every wait that begins from here on so many times as long, in this process. */
export function stretchWaits(times: number): void {
  factor = times
}

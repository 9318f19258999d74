/**
 * The simulator's own time, in which prompts ring, callbacks wait and tokens grow old. It runs beside the real clock:
 * paused, faster, or ahead of it by every jump. Dates on the wire stay real, because the programs that read them have
 * real clocks.
 */
export interface VirtualTime {
  readonly realAtMs: number
  readonly virtualAtMs: number
  readonly speed: number
  readonly paused: boolean
}

/** What may be changed at once: the jump comes first, then the pace. */
export interface TimeChange {
  readonly jumpMs?: number | undefined
  readonly speed?: number | undefined
  readonly paused?: boolean | undefined
}

/** The simulator's virtual time and its timers. */
export interface SimulatedTime {
  /** Virtual milliseconds since 1970. */
  now(): number
  /**
   * Runs once that much virtual time has passed; timers due together run in the order they were set. The clock shows
   * `what` the timer is for.
   */
  after(delayMs: number, run: () => void, what?: string): Timer
}

export interface Timer {
  cancel(): void
}

export function timeAt(realMs: number): VirtualTime {
  return { realAtMs: realMs, virtualAtMs: realMs, speed: 1, paused: false }
}

export function virtualNow(time: VirtualTime, realMs: number): number {
  return time.virtualAtMs + (time.paused ? 0 : (realMs - time.realAtMs) * time.speed)
}

/** Real milliseconds until the virtual instant; undefined when a paused clock will never reach it. */
export function realUntil(
  time: VirtualTime,
  realMs: number,
  virtualMs: number,
): number | undefined {
  const left = virtualMs - virtualNow(time, realMs)
  if (left <= 0) return 0
  return time.paused ? undefined : Math.ceil(left / time.speed)
}

export function changeTime(time: VirtualTime, realMs: number, change: TimeChange): VirtualTime {
  return {
    realAtMs: realMs,
    virtualAtMs: virtualNow(time, realMs) + (change.jumpMs ?? 0),
    speed: change.speed ?? time.speed,
    paused: change.paused ?? time.paused,
  }
}

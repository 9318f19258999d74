/**
 * The simulator's virtual time, for prompts, callbacks and tokens. It follows the real clock, and can be paused, sped
 * up or moved ahead. Dates on the wire stay real, because their readers have real clocks.
 */
export interface VirtualTime {
  readonly realAtMs: number
  readonly virtualAtMs: number
  readonly speed: number
  readonly paused: boolean
}

/** A change of the clock: the jump is applied first, then the pace. */
export interface TimeChange {
  readonly jumpMs?: number | undefined
  readonly speed?: number | undefined
  readonly paused?: boolean | undefined
}

export interface SimulatedTime {
  /** Virtual milliseconds since 1970. */
  now(): number
  /**
   * Runs after that much virtual time; timers due together run in the order they were set. `what` names the timer in
   * the clock's view.
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

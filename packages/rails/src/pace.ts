/** The rate at which all workers together may call a provider for one kind of call. */
export interface Pace {
  /** The name under which the workers share this pace, such as `mtn_momo:status:legacy`. */
  readonly name: string
  readonly everyMs: number
  /** A call that would wait longer than this gets no turn. */
  readonly waitMaxMs: number
}

/** Reserves the next turn; returns the milliseconds until then. Undefined, with no turn, if above `waitMaxMs`. */
export type TakeTurn = (pace: Pace) => Promise<number | undefined>

/**
 * Spreads calls out over time, in the order in which they come. Resolves to false when no turn comes within
 * `waitMaxMs`: then no call may be made.
 */
export function openPace(
  pace: Pace,
  wiring: { readonly takeTurn: TakeTurn; wait(milliseconds: number): Promise<void> },
): () => Promise<boolean> {
  return async () => {
    const waitMs = await wiring.takeTurn(pace)
    if (waitMs === undefined) return false
    if (waitMs > 0) await wiring.wait(waitMs)
    return true
  }
}

/** Turns that this process shares with no other one. */
export function openOwnTurns(now: () => number): TakeTurn {
  const nextAtMs = new Map<string, number>()
  return ({ name, everyMs, waitMaxMs }) => {
    const nowMs = now()
    const keptMs = nextAtMs.get(name) ?? nowMs
    // A turn further ahead than any call sets is from before the clock was set back.
    const isTrue = keptMs <= nowMs + waitMaxMs + everyMs
    const turnAtMs = isTrue ? Math.max(nowMs, keptMs) : nowMs
    const waitMs = turnAtMs - nowMs
    if (waitMs > waitMaxMs) return Promise.resolve(undefined)
    nextAtMs.set(name, turnAtMs + everyMs)
    return Promise.resolve(waitMs)
  }
}

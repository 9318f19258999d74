import type { RailWiring } from './rail'

export interface PaceOptions {
  readonly everyMs: number
  /** Whoever would wait longer than this is told so instead. */
  readonly waitMaxMs: number
}

/** Spreads calls out over time, one each `everyMs`, in the order in which they come. Resolves to false without a turn. */
export function openPace(
  options: PaceOptions,
  wiring: Pick<RailWiring, 'now' | 'wait'>,
): () => Promise<boolean> {
  let nextAtMs = 0
  return async () => {
    const nowMs = wiring.now()
    const turnAtMs = Math.max(nowMs, nextAtMs)
    const waitMs = turnAtMs - nowMs
    if (waitMs > options.waitMaxMs) return false
    nextAtMs = turnAtMs + options.everyMs
    if (waitMs > 0) await wiring.wait(waitMs)
    return true
  }
}

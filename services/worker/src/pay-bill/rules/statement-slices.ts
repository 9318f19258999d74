export interface Part {
  readonly from: Date
  readonly until: Date
}

/** The part of the statement that one call asks for. */
export interface Slice extends Part {
  /** How many rows from the start of the slice were read already. */
  readonly rowOffset: number
}

/** How far a span of the statement was read again: slice by slice, from now back to its oldest end, and then anew. */
export interface Reread {
  readonly spanMs: number
  /** Where the next slice ends: everything later in the span was read already. */
  readonly untilMs: number
  readonly rowOffset: number
}

const hourMs = 3_600_000
const sliceMs = 30 * 60_000
/** Less than the three hours by which times of Nairobi and UTC differ, as M-Pesa does not always name the zone. */
const partMs = 2 * hourMs

/** The last six hours are read again often, as most late payments are a few hours late; all 48 hours seldom. */
export const firstRereads: readonly Reread[] = [6, 48].map((hours) => {
  return { spanMs: hours * hourMs, untilMs: 0, rowOffset: 0 }
})

/** Splits the time between two instants into parts, the oldest first. */
export function partsOf(fromMs: number, untilMs: number): readonly Part[] {
  const count = Math.max(Math.ceil((untilMs - fromMs) / partMs), 1)
  return Array.from({ length: count }, (_, place) => ({
    from: new Date(fromMs + place * partMs),
    until: new Date(Math.min(fromMs + (place + 1) * partMs, untilMs)),
  }))
}

export function nextSlice({ spanMs, untilMs, rowOffset }: Reread, nowMs: number): Slice {
  const oldestMs = nowMs - spanMs
  if (untilMs <= oldestMs) return sliceUntil(nowMs, oldestMs, 0)
  return sliceUntil(untilMs, oldestMs, rowOffset)
}

function sliceUntil(untilMs: number, oldestMs: number, rowOffset: number): Slice {
  const fromMs = Math.max(untilMs - sliceMs, oldestMs)
  return { from: new Date(fromMs), until: new Date(untilMs), rowOffset }
}

/** The state after a slice was read to its end, or up to `nextRowOffset` if it has more rows. */
export function afterSlice(
  { spanMs }: Reread,
  { from, until }: Slice,
  nextRowOffset: number | undefined,
): Reread {
  const isWhole = nextRowOffset === undefined
  return { spanMs, untilMs: (isWhole ? from : until).getTime(), rowOffset: nextRowOffset ?? 0 }
}

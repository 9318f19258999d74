/** A part of the statement. */
export interface Part {
  readonly from: Date
  readonly until: Date
}

/** The part of the statement that one call asks for. */
export interface Slice extends Part {
  /** So many rows of it were read before. */
  readonly rowOffset: number
}

/** How far a span of the statement was read again: slice after slice, from now back to its oldest payment, and then from now again. */
export interface Reread {
  readonly spanMs: number
  /** Where the next slice ends; what is later was read. */
  readonly untilMs: number
  readonly rowOffset: number
}

const hourMs = 3_600_000
const sliceMs = 30 * 60_000
/** In three hours or more a time fits both as one of UTC and as one of Nairobi, and M-Pesa does not always say which it is. */
const partMs = 2 * hourMs

/** The last hours often, as most late payments are a few hours late; seldom all that M-Pesa reaches back to. */
export const firstRereads: readonly Reread[] = [6, 48].map((hours) => {
  return { spanMs: hours * hourMs, untilMs: 0, rowOffset: 0 }
})

/** What is between two instants, the oldest part first. */
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

/** Where the span stands after a slice, or after so many rows of a slice that has more. */
export function afterSlice(
  { spanMs }: Reread,
  { from, until }: Slice,
  nextRowOffset: number | undefined,
): Reread {
  const isWhole = nextRowOffset === undefined
  return { spanMs, untilMs: (isWhole ? from : until).getTime(), rowOffset: nextRowOffset ?? 0 }
}

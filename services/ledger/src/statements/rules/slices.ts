import type { Minor } from '@malipo/kernel/money'
import type { Instant } from '../../evidence/rules/state'

/** Which receipts of a provider to compare. */
export interface ComparedSide {
  readonly provider: string
  /** Until when the provider's records are known. */
  readonly readUntil: Instant
  readonly until: Instant
}

/** A stretch of time, at most an hour, whose receipts are compared separately. */
export interface Slice {
  readonly from: Instant
  readonly until: Instant
  readonly sides: readonly ComparedSide[]
}

const sliceMicros = 3_600_000_000

/** With a turn each five minutes, each of the 47 hours of `recentSeconds` is compared once an hour. */
const againEachTurn = 4

/** The first full hour that is not before an instant. */
export function nextHour(at: Instant): Instant {
  return Math.ceil(at / sliceMicros) * sliceMicros
}

/** Cuts the time from an instant until the last of the sides at full hours. */
export function slicesOf(from: Instant, sides: readonly ComparedSide[]): Slice[] {
  const last = Math.max(from, ...sides.map((side) => side.until))
  const slices: Slice[] = []
  for (let at = from; at < last; at = nextHour(at + 1)) {
    const until = Math.min(nextHour(at + 1), last)
    const within = (instant: Instant) => Math.min(Math.max(instant, at), until)
    const cut = sides.map((side) => ({
      ...side,
      readUntil: within(side.readUntil),
      until: within(side.until),
    }))
    slices.push({ from: at, until, sides: cut })
  }
  return slices
}

export interface ComparedSlice extends Slice {
  readonly differenceMinor: Minor
}

/**
 * The slices to compare now, those that were never compared first: each whose known end has moved since its comparison;
 * each that differed, and those beside it, because the statement may date a payment in another hour; the oldest,
 * which leaves the two days next; and some others in turn, because a late receipt may belong to any of them. `compared`
 * begins with the slice that was compared longest ago.
 */
export function dueSlices(slices: readonly Slice[], compared: readonly ComparedSlice[]): Slice[] {
  const before = new Map(compared.map((one) => [one.from, one]))
  const inTurn = new Set(compared.slice(0, againEachTurn).map(({ from }) => from))
  const isDiffering = (from: Instant) => (before.get(from)?.differenceMinor ?? 0n) !== 0n
  const due = slices.filter((slice, place) => {
    const { from } = slice
    const known = before.get(from)
    const isNearDiffering = [from - sliceMicros, from, from + sliceMicros].some(isDiffering)
    const isChanged = known === undefined || !hasSameSides(known, slice)
    return isChanged || isNearDiffering || place === 0 || inTurn.has(from)
  })
  const isKnown = ({ from }: Slice) => before.has(from)
  return [...due.filter((slice) => !isKnown(slice)), ...due.filter(isKnown)]
}

function hasSameSides(one: Slice, other: Slice): boolean {
  const isSameSide = (side: ComparedSide, place: number) => {
    const { provider, readUntil, until } = other.sides[place] ?? {}
    return side.provider === provider && side.readUntil === readUntil && side.until === until
  }
  return one.sides.length === other.sides.length && one.sides.every(isSameSide)
}

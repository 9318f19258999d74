import { type Instant, later } from '../settlement/state'

const daySeconds = 86_400
const eastAfricaSeconds = 3 * 3_600

/** What was paid just before midnight has an hour to be told of. */
const reportedAfterSeconds = 3_600

/** A payment younger than this is one that its provider may not have told of. */
export const youngSeconds = 900

/** How far the running comparison reaches back. */
export const recentSeconds = 47 * 3_600

/** The beginning and the end of a day such as `2026-11-20`, in East African Time. */
export function boundsOf(day: string): { readonly from: Instant; readonly until: Instant } {
  const from = later(Date.parse(`${day}T00:00:00Z`) * 1_000, -eastAfricaSeconds)
  return { from, until: later(from, daySeconds) }
}

/** The day before, once its report is due. Undefined within the first hour of a day. */
export function dueDay(now: Instant): string | undefined {
  const at = later(now, eastAfricaSeconds - reportedAfterSeconds)
  const day = dayOf(at)
  return day === dayOf(later(now, eastAfricaSeconds)) ? dayOf(later(at, -daySeconds)) : undefined
}

function dayOf(at: Instant): string {
  return new Date(at / 1_000).toISOString().slice(0, 10)
}

/** Says whether a provider's word is known to the end of a day, or to a quarter of an hour ago. */
export function isReadTo(readUntil: Instant, dayEnd: Instant, now: Instant): boolean {
  return readUntil >= Math.min(dayEnd, later(now, -youngSeconds))
}

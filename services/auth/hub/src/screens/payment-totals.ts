import type { PaymentDayView, SummaryView } from '@malipo/interface/hub'
import { asksPayers } from '@malipo/kernel/rail-abilities'

export type RailView = PaymentDayView['rails'][number]

export interface Totals {
  readonly paid: number
  readonly receivedMinor: bigint
  readonly unpaid: number
  readonly unconfirmed: number
}

export function totalsOf(rails: readonly Omit<RailView, 'rail'>[]): Totals {
  return {
    paid: rails.reduce((total, { paid }) => total + paid, 0),
    receivedMinor: rails.reduce((total, { received }) => total + BigInt(received), 0n),
    unpaid: rails.reduce((total, { unpaid }) => total + unpaid, 0),
    unconfirmed: rails.reduce((total, { unconfirmed }) => total + unconfirmed, 0),
  }
}

/** Each rail of the days with its totals, the one that brought most first. */
export function totalsByRail(days: SummaryView['days']): (Totals & Pick<RailView, 'rail'>)[] {
  const all = days.flatMap(({ rails }) => rails)
  return [...new Set(all.map(({ rail }) => rail))]
    .map((rail) => ({ rail, ...totalsOf(all.filter((one) => one.rail === rail)) }))
    .sort((one, other) => (one.receivedMinor < other.receivedMinor ? 1 : -1))
}

/**
 * The share of attempts that were paid so far, in whole percent, which is 100 only when all were. Undefined without
 * attempts. A payment from the Pay Bill menu is first known when it is paid, so it says nothing about success.
 */
export function successOf(rails: readonly Omit<RailView, 'received'>[]): number | undefined {
  const prompting = rails.filter(({ rail }) => asksPayers(rail))
  const paid = prompting.reduce((total, one) => total + one.paid, 0)
  const all = prompting.reduce((total, one) => total + one.paid + one.unpaid + one.unconfirmed, 0)
  return all === 0 ? undefined : Math.floor((100 * paid) / all)
}

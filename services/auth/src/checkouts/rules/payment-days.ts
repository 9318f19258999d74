import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'

/** Payments, or attempts that took no money, of one local day, rail and cause. */
export interface PaymentCount {
  readonly day: string
  readonly rail: Rail
  /** Undefined for attempts that took no money. */
  readonly paidMinor: Minor | undefined
  readonly cause: FailureCause | undefined
  /** The money of these attempts may still come. */
  readonly mayHavePaid: boolean
  readonly count: number
}

export interface RailDay {
  readonly rail: Rail
  readonly paid: number
  readonly paidMinor: Minor
  readonly unpaid: number
  /** Attempts without an answer, reported as paid, or lately denied by status answers alone: their money may still come. */
  readonly unconfirmed: number
}

/** A local day, such as `2026-11-24`, with the rails of its payments and attempts. */
export interface PaymentDay {
  readonly day: string
  readonly rails: readonly RailDay[]
}

export interface UnpaidCause {
  readonly rail: Rail
  readonly cause: FailureCause | undefined
  readonly count: number
}

const dayMs = 86_400_000

/** All days of a span, also those without payments; none when the span ends before it begins. */
export function paymentDays(
  span: { readonly firstDay: string; readonly lastDay: string },
  counts: readonly PaymentCount[],
): PaymentDay[] {
  const [first, last] = [Date.parse(span.firstDay), Date.parse(span.lastDay)]
  // The length is negative when the span ends before it begins; `Array.from` then makes an empty array.
  const length = (last - first) / dayMs + 1
  return Array.from({ length }, (_, place) => {
    const day = new Date(first + place * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
    return { day, rails: railsOf(counts.filter((one) => one.day === day)) }
  })
}

function railsOf(counts: readonly PaymentCount[]): RailDay[] {
  return [...new Set(counts.map(({ rail }) => rail))].map((rail) => {
    const own = counts.filter((one) => one.rail === rail)
    const paid = own.filter(({ paidMinor }) => paidMinor !== undefined)
    const paidMinor = paid.reduce((total, one) => total + (one.paidMinor ?? 0n), 0n)
    const unconfirmed = sum(own.filter(({ mayHavePaid }) => mayHavePaid))
    return {
      ...{ rail, paid: sum(paid), paidMinor, unconfirmed },
      unpaid: sum(own) - sum(paid) - unconfirmed,
    }
  })
}

/** Why attempts took no money, the commonest cause first. */
export function unpaidCauses(counts: readonly PaymentCount[]): UnpaidCause[] {
  const causes = new Map<string, UnpaidCause>()
  const isUnpaid = (one: PaymentCount) => one.paidMinor === undefined && !one.mayHavePaid
  for (const { rail, cause, count } of counts.filter(isUnpaid)) {
    const key = `${rail} ${String(cause)}`
    causes.set(key, { rail, cause, count: count + (causes.get(key)?.count ?? 0) })
  }
  return [...causes.values()].sort((one, other) => other.count - one.count)
}

const sum = (counts: readonly PaymentCount[]) =>
  counts.reduce((total, { count }) => total + count, 0)

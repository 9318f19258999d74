import type { Minor } from '@malipo/kernel/money'

/**
 * The simulator's own book: one row for every time it moved money, in order, never changed. Whoever wants to know
 * whether a ledger is right compares it with this, receipt by receipt, so no row is ever dropped to save room: a
 * full book stops the payments instead.
 */
export interface Book {
  isFull(): boolean
  /** `id` counts from 1. */
  write(row: NewBookRow): BookRow
  /** Rows after the id, the oldest first. */
  since(id: number, limit: number): readonly BookRow[]
  /** A page of the rows of one business between two instants of real time, both included, the oldest first. */
  between(business: string, window: StatementWindow): readonly BookRow[]
  size(): number
  totalMinor(): Minor
}

export interface StatementWindow {
  readonly fromMs: number
  readonly untilMs: number
  readonly offset: number
  readonly limit: number
}

export interface BookRow extends NewBookRow {
  readonly id: number
  /** Real milliseconds since 1970. */
  readonly atMs: number
}

export interface NewBookRow {
  /** The provider's receipt, unique in the book. */
  readonly receipt: string
  readonly provider: string
  readonly kind: 'stk_push' | 'pay_bill' | 'request_to_pay' | 'ussd_push'
  readonly msisdn: string
  readonly business: string
  readonly account: string
  readonly amountMinor: Minor
  /** The provider's id of the request that led to it. */
  readonly reference: string
}

export function openBook(wallNow: () => number, limit: number): Book {
  const rows: BookRow[] = []
  const byBusiness = new Map<string, BookRow[]>()
  let totalMinor = 0n
  return {
    isFull: () => rows.length >= limit,
    write(row) {
      // Rows are found by halving, so their times never step back, whatever the real clock does.
      const atMs = Math.max(wallNow(), rows.at(-1)?.atMs ?? 0)
      const written = { ...row, id: rows.length + 1, atMs }
      rows.push(written)
      const statement = byBusiness.get(row.business)
      if (statement === undefined) byBusiness.set(row.business, [written])
      else statement.push(written)
      totalMinor += row.amountMinor
      return written
    },
    since: (id, count) => rows.slice(Math.max(0, id), Math.max(0, id) + count),
    between(business, { fromMs, untilMs, offset, limit }) {
      const statement = byBusiness.get(business) ?? []
      const first = firstAtOrAfter(statement, fromMs) + offset
      return statement.slice(first, Math.min(first + limit, firstAtOrAfter(statement, untilMs + 1)))
    },
    size: () => rows.length,
    totalMinor: () => totalMinor,
  }
}

function firstAtOrAfter(rows: readonly BookRow[], atMs: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.atMs ?? Infinity) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

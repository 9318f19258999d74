import type { Minor } from '@malipo/kernel/money'
import { openPages, type Codec, type Spill } from './pages'

/**
 * The simulator's own book: one row for every time it moved money, in order, never changed. A test that wants to know
 * whether a ledger is right compares it with this, receipt by receipt, so no row is ever dropped to save room: a
 * full book stops the payments instead. Only its last page is in memory.
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
  close(): void
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

export type BookKind =
  | 'stk_push'
  | 'pay_bill'
  | 'request_to_pay'
  | 'ussd_push'
  | 'card_payment'
  /** Back to the payer, like the next two: the amount is what went out. Its account is the receipt that went back. */
  | 'reversal'
  | 'card_refund'
  | 'card_void'

export interface NewBookRow {
  /** The provider's receipt, unique in the book. */
  readonly receipt: string
  readonly provider: string
  readonly kind: BookKind
  /** Empty for a payment without a phone. */
  readonly msisdn: string
  readonly business: string
  readonly account: string
  readonly amountMinor: Minor
  /** The provider's id of the request that led to it. */
  readonly reference: string
}

export function openBook(wallNow: () => number, limit: number, spill: Spill): Book {
  const pages = openPages(spill, codec)
  let totalMinor = 0n
  let lastAtMs = 0
  return {
    isFull: () => pages.size() >= limit,
    write(row) {
      // Rows are found by halving, so their times never step back, whatever the real clock does.
      lastAtMs = Math.max(wallNow(), lastAtMs)
      const written = { ...row, id: pages.size() + 1, atMs: lastAtMs }
      pages.add(written)
      totalMinor += row.amountMinor
      return written
    },
    since: (id, count) => pages.slice(Math.max(0, id), count),
    between(business, { fromMs, untilMs, offset, limit: most }) {
      const rows: BookRow[] = []
      let skipped = 0
      for (const row of pages.from(fromMs)) {
        if (row.atMs > untilMs || rows.length >= most) break
        // A statement lists what came in.
        if (row.business !== business || row.kind === 'reversal') continue
        if (skipped < offset) skipped += 1
        else rows.push(row)
      }
      return rows
    },
    size: () => pages.size(),
    totalMinor: () => totalMinor,
    close: () => {
      spill.close()
    },
  }
}

type Line = Omit<BookRow, 'amountMinor'> & { readonly amount: string }

/** JSON, but for the amount, which it has no number for. */
const codec: Codec<BookRow> = {
  write: (rows) =>
    JSON.stringify(
      rows.map(({ amountMinor, ...row }) => ({ ...row, amount: String(amountMinor) })),
    ),
  read: (text) =>
    (JSON.parse(text) as readonly Line[]).map(({ amount, ...row }) => ({
      ...row,
      amountMinor: BigInt(amount),
    })),
}

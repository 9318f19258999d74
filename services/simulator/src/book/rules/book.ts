import type { Minor } from '@malipo/kernel/money'
import { openPages, type Codec, type Spill } from './pages'

/**
 * The simulator's own record of money: one row for each movement, in order, never changed. Tests compare a ledger
 * with it, receipt by receipt, so no row is ever dropped: a full book refuses payments instead. Only its last page and
 * the one that was read last are in memory.
 */
export interface Book {
  isFull(): boolean
  /** `id` counts from 1. */
  write(row: NewBookRow): BookRow
  /** Rows after this id, oldest first. */
  since(id: number, limit: number): readonly BookRow[]
  /** A page of the payments that a business received between two instants of real time, both included, oldest first. */
  between(business: string, window: StatementWindow): readonly BookRow[]
  size(): number
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
  /**
   * In a reversal, a card refund and a card void, money goes back to the payer: the amount is outgoing, and `account`
   * is the receipt of the original payment.
   */
  | 'reversal'
  | 'card_refund'
  | 'card_void'
  /** Money that the business sent without a payment before it. */
  | 'payout'

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
  /**
   * The id, on the provider's API, of the request that moved the money. For a card it is the bank's number of the
   * movement, for a payment from the menu it is empty.
   */
  readonly reference: string
}

export function openBook(wallNow: () => number, limit: number, spill: Spill): Book {
  // A statement lists incoming payments only.
  const pages = openPages(spill, codec, (row) => (isIncoming(row) ? row.business : undefined))
  let lastAtMs = 0
  return {
    isFull: () => pages.size() >= limit,
    write(row) {
      // A statement finds its first page by time, so times must not decrease, even when the real clock goes back.
      lastAtMs = Math.max(wallNow(), lastAtMs)
      const written = { ...row, id: pages.size() + 1, atMs: lastAtMs }
      pages.add(written)
      return written
    },
    since: (id, count) => pages.slice(Math.max(0, id), count),
    between(business, { fromMs, untilMs, offset, limit: most }) {
      const rows: BookRow[] = []
      for (const row of pages.from({ atMs: fromMs, group: business, skipped: offset })) {
        if (row.atMs > untilMs || rows.length >= most) break
        rows.push(row)
      }
      return rows
    },
    size: () => pages.size(),
    close: () => {
      spill.close()
    },
  }
}

export function isIncoming({ kind }: BookRow): boolean {
  return !outgoing.has(kind)
}

const outgoing: ReadonlySet<BookKind> = new Set(['reversal', 'card_refund', 'card_void', 'payout'])

type Line = Omit<BookRow, 'amountMinor'> & { readonly amount: string }

/** As JSON, with the amount as text, because JSON has no bigint. */
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

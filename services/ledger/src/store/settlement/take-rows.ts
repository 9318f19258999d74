import type { Pool } from 'pg'
import { inOrder } from '../../domain/settlement/decide-in-order'
import { decidePayBill, type PaidFact } from '../../domain/settlement/decide-pay-bill'
import type { Applied, Decided } from '../../domain/settlement/state'
import { type LoadedRow, loadStatementRows } from './load-pay-bill'
import { type ReceivedRow, saveRows } from './save-rows'
import { inTransaction, type Statement, type Transaction } from './transaction'

/** A row of the statement, each body once in a batch. */
export interface NewRow extends ReceivedRow {
  readonly newIntentId: string
  /** Undefined of a row that is kept, and not applied. */
  readonly fact: PaidFact | undefined
}

export interface TakenRow {
  /** The earlier one of a row that was kept before. */
  readonly messageId: string
  /** Undefined of a row that was left out. */
  readonly applied: Applied | undefined
  /** The checkout whose money this was. */
  readonly checkoutId: string | undefined
}

export interface TakenRows {
  /** Each in its place. */
  readonly rows: readonly TakenRow[]
  /** The receipts that the statement has shown with another amount before, of which the first stays. */
  readonly differing: readonly string[]
}

export const keepRows: Statement = {
  name: 'keep_statement_rows',
  text: `SELECT receipt FROM keep_statement_rows($1::text[], $2::bigint[], $3::timestamptz[]) receipt`,
}

/**
 * Keeps rows of the statement in the inbox, and decides and posts them, in one transaction: all of it is committed, or
 * nothing. A row that another transaction holds, or that is about what an earlier one of the batch writes, is kept and left out.
 */
export async function takeRows(pool: Pool, rows: readonly NewRow[]): Promise<TakenRows> {
  return inTransaction(pool, async (transaction) => {
    // Sent one behind another, so what is loaded is what was committed when no freezing could begin any more.
    const [differing, loaded] = await Promise.all([
      keepShown(transaction, rows),
      loadStatementRows(transaction, rows),
    ])
    const decided = inOrder(loaded.map((one, place) => proposed(rows[place], one)))
    await saveRows(
      transaction,
      rows.map((row, place) => ({
        row,
        now: loaded[place]?.now ?? 0,
        isKept: loaded[place]?.messageId !== undefined,
        writes: decided[place]?.writes,
      })),
    )
    return {
      rows: rows.map((row, place) => takenRow(row, loaded[place], decided[place])),
      differing,
    }
  })
}

async function keepShown(
  transaction: Transaction,
  rows: readonly NewRow[],
): Promise<readonly string[]> {
  const shown = rows.flatMap(({ fact }) => fact ?? [])
  if (shown.length === 0) return []
  const differing = await transaction.query<{ receipt: string }>(keepRows, [
    shown.map(({ receipt }) => receipt),
    shown.map(({ amountMinor }) => String(amountMinor)),
    shown.map(({ paidAt }) => paidAt?.toISOString() ?? null),
  ])
  return differing.map(({ receipt }) => receipt)
}

function proposed(row: NewRow | undefined, { state }: LoadedRow) {
  if (row?.fact === undefined || state === undefined) return undefined
  const { newIntentId, fact } = row
  return {
    about: [state.intent?.id ?? null, state.checkout?.id ?? null],
    decided: decidePayBill(state, { messageId: state.message.id, newIntentId, fact }),
  }
}

function takenRow(
  row: NewRow,
  loaded: LoadedRow | undefined,
  decided: Decided | undefined,
): TakenRow {
  const applied = decided?.applied
  const isPosted = applied !== undefined && applied.disposition !== null
  return {
    messageId: loaded?.messageId ?? row.messageId,
    applied,
    checkoutId: isPosted ? loaded?.state?.checkout?.id : undefined,
  }
}

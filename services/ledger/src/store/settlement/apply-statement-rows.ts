import type { Pool } from 'pg'
import { showRows } from '../../domain/freezings/show-rows'
import { inOrder } from '../../domain/settlement/decide-in-order'
import { decidePayBill, type PaidFact } from '../../domain/settlement/decide-pay-bill'
import type { Applied, Decided } from '../../domain/settlement/state'
import { saveMoves } from '../freeze-unconfirmed'
import { storeShownRows } from './store-shown-rows'
import { type LoadedRow, loadStatementRows } from './apply-pay-bill'
import { type ReceivedRow, saveRows } from './save-rows'
import { inTransaction } from './transaction'

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

/**
 * Keeps rows of the statement in the inbox, and decides and posts them, in one transaction: all of it is committed, or
 * nothing. A row that another transaction holds, or that is about what an earlier one of the batch writes, is kept and left out.
 */
export async function applyStatementRows(pool: Pool, rows: readonly NewRow[]): Promise<TakenRows> {
  return inTransaction(pool, async (transaction) => {
    // Sent one behind another, so what is loaded is what was committed when no freezing could begin any more.
    const shown = rows.flatMap(({ fact }) => fact ?? [])
    const [known, loaded] = await Promise.all([
      storeShownRows(transaction, shown),
      loadStatementRows(transaction, rows),
    ])
    const { differing, moves } = showRows(shown, known)
    if (moves.length > 0) await saveMoves(transaction, moves)
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

import type { Pool } from 'pg'
import type { Writes, Applied, Decided } from '../../evidence/rules/state'
import { parts, rareParts, saveWhole, rare } from '../../evidence/store/save'
import { type Statement, type Transaction, inTransaction } from '../../database/transaction'
import { showRows } from '../../freezes/rules/freeze-unconfirmed'
import { inOrder } from '../../database/batched'
import { decidePayBill } from '../../pay-bill/rules/decide-pay-bill'
import type { PaidFact } from '../../pay-bill/rules/state'
import { saveMoves } from '../../freezes/store/freeze-unconfirmed'
import { type LoadedRow, loadStatementRows } from '../../pay-bill/store/apply-pay-bill'
import { storeShownRows } from './store-shown-rows'

/**
 * Writes what `saveStatement` writes, and the messages of new rows: already applied, or due where the row was left out.
 * A row that another transaction has kept since the load is missing in the counts.
 */
export const saveRowsStatement: Statement = {
  name: 'save_statement_rows',
  text: `
    WITH ${parts.posted}, ${parts.changed}, ${rareParts}, ${parts.applied}, kept AS (
      INSERT INTO provider_messages (
        id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at,
        fact, strength, result, receipt, applied_at
      )
      SELECT n.id, 'paybill', 'statement_row', n.body, n.digest, '', true, $1,
        CASE WHEN n.result IS NULL THEN $1 + interval '5 seconds' END,
        n.fact, n.strength, n.result, n.receipt, CASE WHEN n.result IS NOT NULL THEN $1 END
      FROM unnest($6::text[], $7::bytea[], $8::bytea[], $9::text[], $10::text[], $11::text[], $12::text[])
        n (id, body, digest, fact, strength, result, receipt)
      -- All readers keep rows in one order, so two that have the same rows do not deadlock.
      ORDER BY n.digest
      ON CONFLICT (digest) WHERE intent_id IS NULL DO NOTHING
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified},
      (SELECT count(*) FROM kept)::int AS kept`,
}

export interface ReceivedRow {
  readonly body: Buffer
  readonly digest: Buffer
  /** The id of the message, if the row was not kept before. */
  readonly messageId: string
}

interface DecidedRow {
  readonly row: ReceivedRow
  /** The time of the load. */
  readonly now: number
  /** The row has a message already. */
  readonly isKept: boolean
  /** Undefined for a row that is left out, or was applied before. */
  readonly writes: Writes | undefined
}

/** Writes the decisions in one statement, at the time of the load; throws `Stale` if one no longer applies. */
async function saveRows(transaction: Transaction, decided: readonly DecidedRow[]): Promise<void> {
  const all = decided.flatMap(({ writes }) => writes ?? [])
  const fresh = decided.filter(({ isKept }) => !isKept)
  const [first] = decided
  if (first === undefined || (all.length === 0 && fresh.length === 0)) return
  await saveWhole(transaction, first.now, {
    statement: saveRowsStatement,
    transfers: all.flatMap(({ transfers }) => transfers),
    intents: all.flatMap(({ intent }) => intent ?? []),
    paymentEvents: all.flatMap(({ paymentEvent }) => paymentEvent ?? []),
    others: rare(all),
    messages: decided.flatMap(({ isKept, writes }) => (isKept && writes ? writes.message : [])),
    kept: { count: fresh.length, values: valuesOf(fresh) },
  })
}

function valuesOf(fresh: readonly DecidedRow[]): readonly unknown[][] {
  const messages = fresh.map(({ writes }) => writes?.message)
  return [
    fresh.map(({ row }) => row.messageId),
    fresh.map(({ row }) => row.body),
    fresh.map(({ row }) => row.digest),
    messages.map((message) => message?.fact ?? null),
    messages.map((message) => message?.strength ?? null),
    messages.map((message) => message?.result ?? null),
    messages.map((message) => message?.receipt ?? null),
  ]
}

/** A row of the statement, each body once in a batch. */
export interface NewRow extends ReceivedRow {
  readonly newIntentId: string
  /** Undefined for a row that is kept, and not applied. */
  readonly fact: PaidFact | undefined
}

export interface TakenRow {
  /** The id of the earlier message where the row was kept before. */
  readonly messageId: string
  /** Undefined for a row that was left out. */
  readonly applied: Applied | undefined
  /** False for a row that was applied before. */
  readonly isNew: boolean
  /** The intent that the row settled. */
  readonly intentId: string | undefined
  /** The checkout whose money this was. */
  readonly checkoutId: string | undefined
}

export interface TakenRows {
  /** In the order of the rows that were given. */
  readonly rows: readonly TakenRow[]
  /** The receipts that the statement has shown with another amount before. The first amount stays. */
  readonly differing: readonly string[]
}

/**
 * Keeps rows of the statement in the inbox, and decides and posts them, in one transaction: all of it is committed, or
 * nothing. A row is kept and left out where another transaction has locked what it is about, or where an earlier row of
 * the batch is about the same intent or checkout.
 */
export async function applyStatementRows(pool: Pool, rows: readonly NewRow[]): Promise<TakenRows> {
  return inTransaction(pool, async (transaction) => {
    // Sent in this order, so the load comes behind the lock that keeps freezing out and sees every earlier freezing.
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

function paidIntentId(writes: Writes | undefined): string | undefined {
  return writes?.intent?.id ?? writes?.matched?.id
}

function takenRow(
  row: NewRow,
  loaded: LoadedRow | undefined,
  decided: Decided | undefined,
): TakenRow {
  const { applied, writes } = decided ?? {}
  const isPosted = applied !== undefined && applied.disposition !== null
  return {
    messageId: loaded?.messageId ?? row.messageId,
    applied,
    isNew: writes !== undefined,
    intentId: paidIntentId(writes),
    checkoutId: isPosted ? loaded?.state?.checkout?.id : undefined,
  }
}

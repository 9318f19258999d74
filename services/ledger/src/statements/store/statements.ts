import type { Pool } from 'pg'
import type { Provider } from '../../journal/rules/postings'
import { showRows } from '../../freezes/rules/freeze-unconfirmed'
import { statementReadUntil as readUntil } from '../rules/reconciliation'
import type { Database } from '../../database/database'
import { saveMoves } from '../../freezes/store/freeze-unconfirmed'
import { inRetriedTransaction, type Statement } from '../../database/transaction'
import { loadReads } from './load-receipts'
import { storeShownRows, type KeptRow } from './store-shown-rows'

/** A row of the statement, with the id of the stored message that it was read from. */
interface ReadRow extends KeptRow {
  readonly messageId: string
}

export const findShown: Statement = {
  name: 'find_shown_rows',
  text: `
    SELECT m.id FROM provider_messages m WHERE m.id = ANY ($1::text[]) AND m.rail = 'paybill' AND m.kind = 'statement_row'`,
}

/**
 * Keeps the payments of those messages that are rows of a statement: the journal is compared with them. Returns the
 * receipts that the statement has shown with another amount before. The first amount stays.
 */
export async function noteStatementRows(
  pool: Pool,
  rows: readonly ReadRow[],
): Promise<readonly string[]> {
  const ids = rows.map(({ messageId }) => messageId)
  const { rows: found } = await pool.query<{ id: string }>({ ...findShown, values: [ids] })
  const shown = rows.filter(({ messageId }) => found.some(({ id }) => id === messageId))
  if (shown.length === 0) return []
  return inRetriedTransaction(pool, async (transaction) => {
    const { differing, moves } = showRows(shown, await storeShownRows(transaction, shown))
    if (moves.length > 0) await saveMoves(transaction, moves)
    return differing
  })
}

export const findRows: Statement = {
  name: 'find_statement_rows',
  text: `
    SELECT (
      -- LIMIT 1 keeps the index: a plan made while there were few messages would read all of them for each row.
      SELECT m.result FROM provider_messages m WHERE m.digest = given.digest AND m.intent_id IS NULL LIMIT 1
    ) IS NOT NULL AS "isApplied"
    FROM unnest($1::bytea[]) WITH ORDINALITY given (digest, place) ORDER BY given.place`,
}

/** Says of each row, by its digest, whether it was applied before. */
export async function findAppliedRows(pool: Pool, digests: readonly Buffer[]): Promise<boolean[]> {
  const { rows } = await pool.query<{ isApplied: boolean }>({ ...findRows, values: [digests] })
  return rows.map(({ isApplied }) => isApplied)
}

/** Until when a statement was read without a gap, from an instant on. */
export async function statementReadUntil(
  db: Database,
  { provider, since }: { readonly provider: Provider; readonly since: Date },
): Promise<Date> {
  const from = since.getTime() * 1_000
  const { now, ...known } = await loadReads(db, { at: from })
  return new Date(readUntil(known, { provider, from, until: now }) / 1_000)
}

/** Records that a statement was read to its end between two instants. */
export async function noteStatementRead(
  db: Database,
  read: { readonly provider: Provider; readonly from: Date; readonly until: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO statement_reads (provider, from_at, until_at, read_at)
    VALUES (${read.provider}, ${read.from}, ${read.until}, clock_timestamp())`
}

import type { Writes } from '../../domain/settlement/state'
import { parts, rareParts, saveWhole, rare } from './save'
import type { Statement, Transaction } from './transaction'

/**
 * What `saveStatement` writes, and the messages of new rows: already applied, or due where they were left out. A row that
 * another transaction keeps meanwhile is missing in the counts.
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
      -- Two readers that have the same rows wait for each other in one order.
      ORDER BY n.digest
      ON CONFLICT (digest) WHERE intent_id IS NULL DO NOTHING
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified},
      (SELECT count(*) FROM kept)::int AS kept`,
}

/** A row as received. */
export interface ReceivedRow {
  readonly body: Buffer
  readonly digest: Buffer
  /** Of the message, if the row was not kept before. */
  readonly messageId: string
}

interface DecidedRow {
  readonly row: ReceivedRow
  /** When it was loaded. */
  readonly now: number
  /** It has a message already. */
  readonly isKept: boolean
  /** Undefined of a row that is left out, or was applied before. */
  readonly writes: Writes | undefined
}

/** Writes what was decided of rows as one statement, at the time of the load. Throws `Stale` when it is not so any more. */
export async function saveRows(
  transaction: Transaction,
  decided: readonly DecidedRow[],
): Promise<void> {
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

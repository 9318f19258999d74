import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import type { Provider } from '../domain/chart'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'
import type { Statement } from './settlement/transaction'

/** A row of a statement, as its stored message says it. */
interface SaidRow {
  readonly messageId: string
  readonly receipt: string
  readonly amountMinor: Minor
  readonly paidAt: Date | undefined
}

export const noteRows: Statement = {
  name: 'note_statement_rows',
  text: `SELECT receipt FROM note_statement_rows($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) receipt`,
}

/**
 * Keeps what messages say that are rows of a statement: what the journal is compared with. Answers the receipts that the
 * statement has shown with another amount before, of which the first stays.
 */
export async function noteStatementRows(
  pool: Pool,
  rows: readonly SaidRow[],
): Promise<readonly string[]> {
  const values = [
    rows.map(({ messageId }) => messageId),
    rows.map(({ receipt }) => receipt),
    rows.map(({ amountMinor }) => String(amountMinor)),
    rows.map(({ paidAt }) => paidAt?.toISOString() ?? null),
  ]
  const { rows: differing } = await retryLostRaces(() =>
    pool.query<{ receipt: string }>({ ...noteRows, values }),
  )
  return differing.map(({ receipt }) => receipt)
}

interface StoredRow {
  readonly messageId: string
  readonly isApplied: boolean
}

interface NewRow {
  readonly messageId: string
  readonly body: Buffer
}

/** A row that was kept before is looked at only: the reading of a statement overlaps the one before, many times a day. */
export const storeRows: Statement = {
  name: 'store_statement_rows',
  text: `
    WITH looked AS MATERIALIZED (
      SELECT given.place::int - 1 AS place, given.id, given.body, given.digest, known.id AS known_id, known.result
      FROM (
        SELECT id, body, place, sha256('statement_row true'::bytea || body) AS digest
        FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY row (id, body, place)
      ) given
      -- LIMIT: a plan that was made while there were few messages must not read them all, once for each row.
      LEFT JOIN LATERAL (
        SELECT m.id, m.result FROM provider_messages m WHERE m.digest = given.digest AND m.intent_id IS NULL LIMIT 1
      ) known ON true
    ), kept AS (
      INSERT INTO provider_messages (
        id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
      )
      SELECT id, 'paybill', 'statement_row', body, digest, '', true, clock_timestamp(), clock_timestamp() + interval '5 seconds'
      FROM looked WHERE known_id IS NULL
      -- Two readers that have the same rows wait for each other in one order.
      ORDER BY digest
      ON CONFLICT (digest) WHERE intent_id IS NULL DO NOTHING
      RETURNING id
    )
    SELECT place, known_id AS "messageId", result IS NOT NULL AS "isApplied" FROM looked WHERE known_id IS NOT NULL
    UNION ALL
    SELECT NULL, id, false FROM kept`,
}

/** By one statement after another a row is there for the next to see, so two are enough, and more mean that it is not so. */
const triesMax = 3

/** Keeps rows word for word, each once, and answers each in its place. */
export async function storeStatementRows(
  pool: Pool,
  rows: readonly NewRow[],
): Promise<readonly StoredRow[]> {
  const stored = new Map<string, StoredRow>()
  for (let tries = 0; tries < triesMax && stored.size < rows.length; tries += 1) {
    const missing = rows.filter(({ messageId }) => !stored.has(messageId))
    for (const [asked, row] of await storeOnce(pool, missing)) stored.set(asked, row)
  }
  return rows.map(({ messageId }) => {
    const row = stored.get(messageId)
    if (row === undefined) throw new Error('a row of the statement was neither kept nor found')
    return row
  })
}

/** By the id that a row was given: what is kept of it. A row that another transaction keeps meanwhile is missing. */
async function storeOnce(
  pool: Pool,
  given: readonly NewRow[],
): Promise<readonly (readonly [string, StoredRow])[]> {
  const values = [given.map(({ messageId }) => messageId), given.map(({ body }) => body)]
  const { rows } = await retryLostRaces(() =>
    pool.query<StoredRow & { readonly place: number | null }>({ ...storeRows, values }),
  )
  return rows.map(({ place, messageId, isApplied }) => {
    const asked = place === null ? messageId : (given[place]?.messageId ?? messageId)
    return [asked, { messageId, isApplied }] as const
  })
}

/** Until when a statement was read without a gap, from an instant on. */
export async function statementReadUntil(
  db: Database,
  { provider, since }: { readonly provider: Provider; readonly since: Date },
): Promise<Date> {
  const [row] = await db.$queryRaw<[{ until: Date }]>`
    SELECT statement_read_until(${provider}, ${since}::timestamptz, clock_timestamp()) AS until`
  return row.until
}

/** Keeps that a statement was read to its end between two instants. */
export async function noteStatementRead(
  db: Database,
  read: { readonly provider: Provider; readonly from: Date; readonly until: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO statement_reads (provider, from_at, until_at, read_at)
    VALUES (${read.provider}, ${read.from}, ${read.until}, clock_timestamp())`
}

/** Freezes what no statement bears out, and answers the receipts, as `mpesa:QK…`. */
export async function freezeUnconfirmed(db: Database, afterSeconds: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ subject: string }[]>`
    SELECT subject FROM freeze_unconfirmed(p_after_seconds => ${afterSeconds}::float8) subject`
  return rows.map(({ subject }) => subject)
}

import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import {
  decideBeginQuery,
  type FirstQueryTerms,
  queryAfterSeconds,
  type QueryState,
  type QueryWrite,
} from '../rules/decide-begin-query'
import { firstOfEach, type Proposal } from '../../database/batched'
import { micros, timestamp, type Statement } from '../../database/transaction'

/** Takes no lock: an intent that changes between the load and the save is loaded again. */
const load: Statement = {
  name: 'load_begin_query',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now,
      i.id, i.xmin::text AS version, i.rail, i.asked_minor AS "askedMinor",
      i.attempt_reference AS "attemptReference",
      coalesce(i.provider_request_id, i.callback_request_id) AS "providerRequestId",
      i.provider_request_id IS NULL AND i.callback_request_id IS NOT NULL AS "requestIdFromCallback",
      ${micros('i.query_at')} AS "queryAt", ${micros('i.submitted_at')} AS "submittedAt",
      i.ended_at IS NOT NULL AS "isEnded", i.receipt_wanted AS "receiptWanted",
      i.reported_at IS NOT NULL OR i.denied_at IS NOT NULL AS "isReportedOrDenied",
      i.receipt_wanted AND EXISTS (
        SELECT FROM payment_reports r WHERE r.intent_id = i.id AND r.receipt <> ''
      ) AS "receiptReported",
      (SELECT w.platform FROM wire_attempts w WHERE w.intent_id = i.id) AS platform, i.traceparent
    FROM intents i WHERE i.id = ANY ($1::text[])`,
}

/** Writes intents unchanged since the load. A batch of one waits for the lock; a larger batch skips a locked intent. */
function saving(name: string, onlyFree: string): Statement {
  const text = `
    UPDATE intents i SET asked_at = n.asked_at, query_at = n.query_at, next_action_at = n.query_at
    FROM unnest($1::text[], $2::xid[], $3::timestamptz[], $4::timestamptz[]) n (id, version, asked_at, query_at)
    WHERE i.id = n.id AND i.xmin = n.version ${onlyFree}
    RETURNING i.id`
  return { name, text }
}

const save = saving('save_begin_query', '')
const saveFree = saving(
  'save_free_begin_query',
  `AND i.id = ANY (ARRAY (
    SELECT free.id FROM intents free WHERE free.id = ANY ($1::text[])
    ORDER BY free.id FOR NO KEY UPDATE SKIP LOCKED
  ))`,
)

export const beginQueryStatements = { load, save, saveFree } as const

/** What to ask a provider about an intent. */
export interface Query {
  readonly rail: Rail
  /** The amount that the payer was asked for. */
  readonly amountMinor: Minor
  /** Null for an intent by card. */
  readonly attemptReference: string | null
  readonly providerRequestId: string | null
  /** The answer to our own call was lost, and a callback has named the prompt. */
  readonly requestIdFromCallback: boolean
  readonly submittedAt: Date | undefined
  readonly receiptWanted: boolean
  /** A callback that settled nothing has named the receipt. */
  readonly receiptReported: boolean
  /** Which of the provider's platforms took the prompt. */
  readonly platform: string | null
  /** The trace that the intent began in; null unless its spans are exported. */
  readonly traceparent: string | null
}

/** The query that is handed out: no other caller gets it this time. */
export interface QueryHandedOut {
  readonly query: Query | undefined
}

interface Row
  extends QueryState, Omit<Query, 'rail' | 'amountMinor' | 'submittedAt' | 'receiptWanted'> {
  /** The row's `xmin`, which each change of the intent changes. */
  readonly version: string
  readonly askedMinor: string
}

type Write = QueryWrite & Pick<Row, 'version'>

interface Decided {
  readonly answer: QueryHandedOut
  readonly write?: Write
}

interface Terms extends FirstQueryTerms {
  readonly queryEverySeconds: number
}

/**
 * Hands out status queries, each to one caller. Returns an answer for each id, in order; undefined where another
 * transaction has locked the intent or changed it first.
 */
export async function beginQueries(
  pool: Pool,
  intentIds: readonly string[],
  given: Terms & { readonly isWaiting: boolean },
): Promise<(QueryHandedOut | undefined)[]> {
  const { rows } = await pool.query<Row>({ ...load, values: [intentIds] })
  const found = new Map(rows.map((row) => [row.id, row]))
  const decided = firstOfEach(intentIds.map((id) => propose(found.get(id), given)))
  const writes = decided.flatMap((one) => one?.write ?? [])
  const saved = await saveWrites(pool, writes, given.isWaiting ? save : saveFree)
  return decided.map((one) =>
    one?.write === undefined || saved.has(one.write.id) ? one?.answer : undefined,
  )
}

function propose(row: Row | undefined, terms: Terms): Proposal<Decided> {
  const { queryEverySeconds } = terms
  const write =
    row &&
    decideBeginQuery(row, {
      queryEverySeconds,
      queryAfterSeconds: queryAfterSeconds(row.rail, terms),
    })
  if (row === undefined || write === undefined) {
    return { about: [], isWriting: false, decided: { answer: { query: undefined } } }
  }
  return {
    about: [row.id],
    isWriting: true,
    decided: { answer: { query: readQuery(row) }, write: { ...write, version: row.version } },
  }
}

function readQuery(row: Row): Query {
  const {
    rail,
    attemptReference,
    providerRequestId,
    requestIdFromCallback,
    receiptWanted,
    receiptReported,
    platform,
    submittedAt,
    traceparent,
  } = row
  return {
    ...{ rail, attemptReference, providerRequestId, requestIdFromCallback },
    ...{ receiptWanted, receiptReported, platform, traceparent },
    amountMinor: BigInt(row.askedMinor),
    submittedAt: submittedAt === null ? undefined : new Date(Math.floor(submittedAt / 1_000)),
  }
}

/** Writes the intents that are unchanged since the load, and returns their ids. */
async function saveWrites(
  pool: Pool,
  writes: readonly Write[],
  statement: Statement,
): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set()
  const values = [
    writes.map(({ id }) => id),
    writes.map(({ version }) => version),
    writes.map(({ askedAt }) => timestamp(askedAt)),
    writes.map(({ queryAt }) => timestamp(queryAt)),
  ]
  const { rows } = await pool.query<{ id: string }>({ ...statement, values })
  return new Set(rows.map(({ id }) => id))
}

import type { Pool } from 'pg'
import { intentMachine } from '../rules/intent'
import type { NewAttempt, NewPage, StartDecided } from '../rules/decide-start'
import {
  timestamp,
  type Statement,
  type Transaction,
  inTransaction,
} from '../../database/transaction'
import type { Instant } from '../../evidence/rules/state'
import { firstOfEach } from '../../database/batched'

/**
 * Writes idempotency keys, and begins the attempts of the keys that it wrote. A key that another transaction wrote
 * since the load stays as it is, and nothing of its request is written.
 */
function saving(name: string, pages = ''): Statement {
  const text = `
    WITH taken AS (
      INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
      SELECT n.scope, n.key, decode(n.fingerprint, 'hex'), n."boundTo", n.now
      FROM jsonb_to_recordset($1::jsonb) n (
        scope TEXT, key TEXT, fingerprint TEXT, "boundTo" TEXT, now TIMESTAMPTZ
      )
      -- All batches write keys in one order, so two that have the same keys do not deadlock.
      ORDER BY n.scope, n.key
      ON CONFLICT DO NOTHING
      RETURNING scope, key, intent_id
    ), begun AS (
      INSERT INTO intents (
        id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor, status, event,
        created_at, deadline_at, next_action_at, callback_secret, attempt_reference, traceparent
      )
      SELECT n.id, n."checkoutId", n."accountId", n.handle, n.rail, n.phone, n."amountMinor", n."askedMinor",
        '${intentMachine.created.reserved}', 'reserved', n."createdAt", n."deadlineAt", n."nextActionAt",
        n."callbackSecret", n."attemptReference", n.traceparent
      FROM jsonb_to_recordset($2::jsonb) n (
        id TEXT, "checkoutId" TEXT, "accountId" TEXT, handle TEXT, rail TEXT, phone TEXT, "amountMinor" BIGINT,
        "askedMinor" BIGINT, "createdAt" TIMESTAMPTZ, "deadlineAt" TIMESTAMPTZ, "nextActionAt" TIMESTAMPTZ,
        "callbackSecret" TEXT, "attemptReference" TEXT, traceparent TEXT
      )
      WHERE n.id = ANY (ARRAY (SELECT intent_id FROM taken))
    )${pages}
    SELECT scope, key FROM taken`
  return { name, text }
}

const save = saving('save_start')
const savePages = saving(
  'save_pages_start',
  `, opened AS (
      INSERT INTO card_sessions (intent_id, fee_minor, expires_at, sealed_payer)
      SELECT n.id, n."feeMinor", n."expiresAt", decode(n."sealedPayer", 'hex')
      FROM jsonb_to_recordset($2::jsonb) n (id TEXT, "feeMinor" BIGINT, "expiresAt" TIMESTAMPTZ, "sealedPayer" TEXT)
    )`,
)

export const startSaves = { save, savePages }

/** A key that is taken, and what it is bound to. */
export interface Taken {
  readonly scope: string
  readonly key: string
  readonly fingerprint: Buffer
  readonly boundTo: string
  readonly now: Instant
  readonly attempt: NewAttempt | undefined
  /** The trace that the attempt begins in, if that trace is kept. */
  readonly traceparent?: string | undefined
}

/** Writes and commits. Returns those whose keys were new: nothing is written for the others. */
async function saveStart(
  transaction: Transaction,
  takings: readonly Taken[],
): Promise<ReadonlySet<Taken>> {
  if (takings.length === 0) return new Set()
  const hasPages = takings.some(({ attempt }) => attempt?.page !== undefined)
  const saved = await transaction.commit<Row>(hasPages ? savePages : save, startValues(takings))
  const taken = new Set(saved.map(nameOf))
  return new Set(takings.filter((one) => taken.has(nameOf(one))))
}

interface Row {
  readonly scope: string
  readonly key: string
}

export function startValues(takings: readonly Taken[]): unknown[] {
  const attempts = takings.flatMap(({ attempt, traceparent }) =>
    attempt === undefined ? [] : [{ ...rowOf(attempt), traceparent }],
  )
  return [JSON.stringify(takings.map(keyOf)), JSON.stringify(attempts)]
}

function nameOf({ scope, key }: Row): string {
  return JSON.stringify([scope, key])
}

function keyOf({ scope, key, fingerprint, boundTo, now }: Taken) {
  return { scope, key, fingerprint: fingerprint.toString('hex'), boundTo, now: timestamp(now) }
}

function rowOf({ page, ...attempt }: NewAttempt) {
  return {
    ...attempt,
    ...(page && pageOf(page)),
    amountMinor: String(attempt.amountMinor),
    askedMinor: String(attempt.askedMinor),
    createdAt: timestamp(attempt.createdAt),
    deadlineAt: timestamp(attempt.deadlineAt),
    nextActionAt: timestamp(attempt.nextActionAt),
  }
}

function pageOf({ feeMinor, expiresAt, sealedPayer }: NewPage) {
  return {
    feeMinor: String(feeMinor),
    expiresAt: timestamp(expiresAt),
    sealedPayer: sealedPayer?.toString('hex'),
  }
}

/** What every command to start an attempt has: its idempotency key, and the fingerprint of its input. */
export interface KeyedCommand {
  readonly key: string
  readonly fingerprint: Buffer
  /** The trace of the request, if that trace is kept. */
  readonly traceparent?: string | undefined
}

export interface Keyed extends KeyedCommand {
  readonly scope: string
}

interface Loading<OneRow, State> {
  readonly lock: Statement
  /** A separate statement, because it has to see what was committed while the locks were waited for. */
  readonly load: Statement
  /** The parameters of both statements, an array for each, in the order of the requests. */
  readonly about: readonly (readonly (string | null)[])[]
  readonly read: (row: OneRow, fingerprint: Buffer) => State
}

/**
 * Locks and reads what new attempts are about, each at the index of its request: `unknown` where there is no row, and
 * undefined where another transaction has locked it.
 */
export async function loadStarts<OneRow extends { readonly place: number }, State>(
  transaction: Transaction,
  requests: readonly Keyed[],
  { lock, load, about, read }: Loading<OneRow, State>,
): Promise<(State | 'unknown' | undefined)[]> {
  const keys = [requests.map(({ scope }) => scope), requests.map(({ key }) => key)]
  const [locked, rows] = await Promise.all([
    transaction.query<{ place: number; isFree: boolean }>(lock, about),
    transaction.query<OneRow>(load, [...about, ...keys]),
  ])
  const free = new Set(locked.flatMap(({ place, isFree }) => (isFree ? [place] : [])))
  const found = new Map(rows.map((row) => [row.place, row]))
  return requests.map(({ fingerprint }, place) => {
    const row = found.get(place)
    if (row === undefined) return 'unknown'
    return free.has(place) ? read(row, fingerprint) : undefined
  })
}

export interface Steps<Request extends Keyed, State, Answer> {
  /** Locks and reads, in the order of the requests; undefined where another transaction has the lock. */
  readonly load: (
    transaction: Transaction,
    requests: readonly Request[],
  ) => Promise<readonly (State | undefined)[]>
  /** The checkouts, phones and keys that only one attempt of a batch may use. */
  readonly about: (request: Request) => readonly string[]
  readonly decide: (state: State, request: Request) => StartDecided<Answer>
}

/**
 * Loads, decides and saves a batch of starts. Returns their answers in order; undefined for a start that has to be
 * loaded again: another transaction has its lock or took its key first, or an earlier start of the batch uses the same
 * checkout, phone or key.
 */
export async function startBatch<Request extends Keyed, State, Answer>(
  pool: Pool,
  requests: readonly Request[],
  { load, about, decide }: Steps<Request, State, Answer>,
): Promise<(Answer | undefined)[]> {
  return inTransaction(pool, async (transaction) => {
    const states = await load(transaction, requests)
    const decided = firstOfEach(
      requests.map((request, place) => {
        const state = states[place]
        if (state === undefined) return undefined
        const { answer, write } = decide(state, request)
        const taking = write && { ...request, ...write }
        return {
          about: about(request),
          isWriting: taking !== undefined,
          decided: { answer, taking },
        }
      }),
    )
    const takings = decided.flatMap((one) => one?.taking ?? [])
    const taken = await saveStart(transaction, takings)
    return decided.map((one) =>
      one?.taking === undefined || taken.has(one.taking) ? one?.answer : undefined,
    )
  })
}

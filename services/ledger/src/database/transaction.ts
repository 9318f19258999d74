import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Instant, Intent } from '../evidence/rules/state'

/** A statement that PostgreSQL parses and plans once a connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Statements that are asked for one behind another, without waiting, share a round trip where the pool has a pipeline. */
export interface Transaction {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** The last statement: the COMMIT goes to the database with it. */
  commit<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

/** Runs `work` and commits what it wrote, or nothing when it throws. The BEGIN goes to the database with the first statement. */
export async function inTransaction<Answer>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  // Each error of the connection also fails a statement, which reports it.
  client.on('error', ignore)
  return run(client, work).catch(async (error: unknown) => {
    await rollBack(client, error)
    throw error
  })
}

async function run<Answer>(
  client: PoolClient,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const begun = client.query('BEGIN')
  // Each statement waits for the BEGIN too, so it reports this error.
  begun.catch(ignore)
  const transaction = transactionOn(client, begun)
  const answer = await work(transaction)
  await begun
  await transaction.end()
  giveBack(client)
  return answer
}

function transactionOn(
  client: PoolClient,
  begun: Promise<unknown>,
): Transaction & { end(): Promise<void> } {
  let isCommitted = false
  async function query<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const answer = client.query<Row>({ name, text, values: [...values] })
    const [{ rows }] = await Promise.all([answer, begun])
    return rows
  }
  return {
    query,
    async commit<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const response = query<Row>(statement, values)
      const committed = commit(client)
      // If the statement fails, `response` rejects with the reason. The error of the COMMIT would say less.
      committed.catch(ignore)
      const rows = await response
      await committed
      isCommitted = true
      return rows
    },
    async end() {
      if (!isCommitted) await commit(client)
    },
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // PostgreSQL answers the COMMIT of a transaction that failed with a ROLLBACK, and without an error.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
}

function ignore(): void {
  // Another promise reports the same failure to the caller.
}

/** A connection that does not even roll back in time is thrown away, with its transaction. */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  const isAnswered = error instanceof Error && ('severity' in error || error instanceof Stale)
  const isRolledBack =
    isAnswered &&
    (await client.query('ROLLBACK').then(
      () => true,
      () => false,
    ))
  giveBack(client, !isRolledBack)
}

function giveBack(client: PoolClient, isBroken = false): void {
  client.removeListener('error', ignore)
  client.release(isBroken)
}

/** Loaded rows have been changed by another transaction: nothing was written, and they have to be loaded again. */
export class Stale extends Error {}

/** SQL of a time as microseconds since 1970, which a double holds exactly; a `Date` would lose the last three digits. */
export function micros(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000000)::float8`
}

/** Microseconds since 1970 as a timestamp that PostgreSQL reads. */
export function timestamp(at: Instant | null): string | null {
  if (at === null) return null
  const milliseconds = Math.floor(at / 1_000)
  const rest = String(at - milliseconds * 1_000).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

const plain = {
  id: 'id',
  checkoutId: 'checkout_id',
  accountId: 'account_id',
  handle: 'handle',
  rail: 'rail',
  phone: 'phone',
  providerRequestId: 'provider_request_id',
  callbackRequestId: 'callback_request_id',
  status: 'status',
  event: 'event',
  receiptWanted: 'receipt_wanted',
  deniedCode: 'denied_code',
  cause: 'cause',
  providerCode: 'provider_code',
  receipt: 'receipt',
  disposition: 'disposition',
} as const

const amounts = {
  amountMinor: 'amount_minor',
  askedMinor: 'asked_minor',
  settledMinor: 'settled_minor',
} as const

const times = {
  submittedAt: 'submitted_at',
  askedAt: 'asked_at',
  endedAt: 'ended_at',
  deadlineAt: 'deadline_at',
  nextActionAt: 'next_action_at',
  queryAt: 'query_at',
  deniedAt: 'denied_at',
  settledAt: 'settled_at',
  reportedAt: 'reported_at',
  heldUntil: 'held_until',
} as const

/** The columns of the intent `i`, each by its name in `Intent`. */
export const intentColumns = [
  ...Object.entries({ ...plain, ...amounts }).map(([name, column]) => `i.${column} AS "${name}"`),
  ...Object.entries(times).map(([name, column]) => `${micros(`i.${column}`)} AS "${name}"`),
].join(', ')

/** A row of `intentColumns`: `pg` gives a bigint as text, and JSON as a number. */
export type IntentRow = Omit<Intent, keyof typeof amounts> &
  Record<'amountMinor' | 'askedMinor', string | number> & {
    readonly settledMinor: string | number | null
  }

export function readIntent(row: IntentRow): Intent {
  const { settledMinor, amountMinor, askedMinor } = row
  return {
    ...row,
    amountMinor: BigInt(amountMinor),
    askedMinor: BigInt(askedMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}

const triesMax = 5
const pauseMaxMs = 40

/**
 * Repeats work that lost a race with another transaction: a serialization failure, a deadlock, a value that the other
 * has claimed (`claimedOnce`), or rows that it changed first (`Stale`). The work was rolled back, so repeating is
 * safe. A wait for a lock that timed out is not repeated: the holder of the lock is slow, and the caller's deadline is
 * near.
 */
export async function retryLostRaces<Answer>(
  ask: () => Promise<Answer>,
  tries = 1,
): Promise<Answer> {
  return ask().catch(async (error: unknown) => {
    if (tries >= triesMax || !isLostRace(error)) throw error
    await setTimeout(randomInt(pauseMaxMs * tries))
    return retryLostRaces(ask, tries + 1)
  })
}

/** Runs `work` in a transaction, and again in another one where it lost a race. */
export async function inRetriedTransaction<Answer>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  return retryLostRaces(() => inTransaction(pool, work))
}

interface DatabaseError {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } }
  }
}

const lostRaces: readonly unknown[] = ['P2034', '40001', '40P01']

/**
 * Values that only one of two transactions gets when both claim them at one moment. The other repeats, and reads who
 * has it.
 */
const claimedOnce: readonly unknown[] = ['intents_callback_request_id_rail_key']

function isLostRace(error: unknown): boolean {
  if (error instanceof Stale) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, constraint, meta } = error as DatabaseError
  const sqlState = meta?.driverAdapterError?.cause?.originalCode
  return (
    lostRaces.includes(code) || lostRaces.includes(sqlState) || claimedOnce.includes(constraint)
  )
}

/** Writes a parameter as JSON, with each `bigint` as text, because a reader of JSON might round a number. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
}

import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { waitOf } from './waits'

/**
 * How every service talks to its Postgres: a bounded pool, and bounds on statements, locks and idle transactions, so
 * that one stuck row costs a refused request and never a stuck service.
 */
export function poolConfig(url: string, connectionsMax: number): PoolConfig {
  const bounds = {
    statement_timeout: waitOf(2_000),
    lock_timeout: waitOf(1_000),
    idle_in_transaction_session_timeout: waitOf(5_000),
  }
  return {
    connectionString: url,
    max: connectionsMax,
    // A request waits for a connection no longer than it would wait for the answer.
    connectionTimeoutMillis: waitOf(2_000),
    // For a server that cannot say that a statement timed out: a connection that went silent is thrown away.
    query_timeout: waitOf(3_000),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: Object.entries(bounds)
      .map(([name, milliseconds]) => `-c ${name}=${String(milliseconds)}`)
      .join(' '),
  }
}

/** How long a transaction of Prisma waits for its connection, and may take. */
export function transactionBounds(): { readonly maxWait: number; readonly timeout: number } {
  return { maxWait: waitOf(2_000), timeout: waitOf(5_000) }
}

/** SQLSTATEs that say "not now": no connection, no resources, stopping, timed out, locked, lost a race. */
const stateNotNow = /^(?:08...|53...|57...|25P03|40001|40P01|55P03)$/
/** The same as Prisma and the socket number it. */
const codeNotNow =
  /^(?:P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** The same as Prisma's adapter names it, and the pool, which has no codes. */
const nameNotNow =
  /^(?:DatabaseNotReachable|TooManyConnections|ConnectionClosed|SocketTimeout|timeout exceeded when trying to connect|Query read timeout|Connection terminated.*)$/

interface DatabaseError {
  readonly code?: unknown
  readonly message?: unknown
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: AdapterError }
  }
}

interface AdapterError {
  readonly kind?: unknown
  readonly originalCode?: unknown
}

/**
 * Whether an error of `pg` or Prisma means that the database did not answer this time, so that the same request may
 * succeed later; anything else is a fault of ours.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, meta } = error as DatabaseError
  const adapter = meta?.driverAdapterError?.cause
  return (
    [code, adapter?.originalCode].some((state) => matches(state, stateNotNow)) ||
    matches(code, codeNotNow) ||
    [adapter?.kind, message].some((name) => matches(name, nameNotNow))
  )
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

/** As long as a process that starts waits for its database, and how often it asks meanwhile. */
const startWaitMs = 30_000
const startEveryMs = 200

/**
 * Asks again while the database is away: a process that starts beside a busy or restarting database waits for it.
 *
 * @throws what `ask` throws when that means anything else, or when the database is away for longer than 30 seconds.
 */
export async function oncePresent<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + startWaitMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error
    }
    await wait(startEveryMs)
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { waitOf } from './waits'

/**
 * The limits of every service's Postgres connections: a bounded pool, and timeouts for statements, locks and idle
 * transactions, so that one locked row costs a refused request and not a stuck service.
 */
export function poolConfig(url: string, connectionsMax: number): PoolConfig {
  const bounds = {
    statement_timeout: waitOf(2_000),
    lock_timeout: waitOf(1_000),
    idle_in_transaction_session_timeout: waitOf(5_000),
    // A machine that is lost closes no connection; without keepalives its idle connections would stay for two hours.
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  }
  return {
    connectionString: url,
    max: connectionsMax,
    // The wait for a connection is as long as a statement may take.
    connectionTimeoutMillis: waitOf(2_000),
    // Discards a silent connection, whose server cannot report the statement timeout.
    query_timeout: waitOf(3_000),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: Object.entries(bounds)
      .map(([name, value]) => `-c ${name}=${String(value)}`)
      .join(' '),
  }
}

/** The limits of a Prisma transaction: its wait for a connection, and its duration. */
export function transactionBounds(): { readonly maxWait: number; readonly timeout: number } {
  return { maxWait: waitOf(2_000), timeout: waitOf(5_000) }
}

/** SQLSTATEs for temporary failures: no connection, no resources, shutdown, lost disk, timeout, lock, serialization. */
const stateNotNow = /^(?:08...|53...|57...|58...|25P03|40001|40P01|55P03)$/
/** The same failures as error codes of Prisma and of sockets. */
const codeNotNow =
  /^(?:P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/
/** The same failures as names from Prisma's adapter, and as messages of the pool, which has no codes. */
const nameNotNow =
  /^(?:DatabaseNotReachable|TooManyConnections|ConnectionClosed|SocketTimeout|timeout exceeded when trying to connect|Query read timeout|Connection terminated.*|Client .* is not queryable)$/

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
 * Whether an error of `pg` or Prisma means that the database was unavailable, so that a retry may succeed; any other
 * error is a bug of ours.
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

/** How long a starting process waits for its database, and how often it asks. */
const startWaitMs = 30_000
const startEveryMs = 200

/**
 * Retries while the database is down: a process that starts beside a restarting database waits for it. @throws what
 * `ask` throws when it is another error, or when the database is down for longer than 30 seconds.
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

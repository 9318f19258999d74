import type { PoolConfig } from 'pg'

/**
 * How every service talks to its Postgres: a bounded pool, and bounds on statements, locks and idle transactions, so
 * that one stuck row costs a refused request and never a stuck service.
 */
export function poolConfig(url: string, connectionsMax: number): PoolConfig {
  return {
    connectionString: url,
    max: connectionsMax,
    // A request waits for a connection no longer than it would wait for the answer.
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options:
      '-c statement_timeout=2000 -c lock_timeout=1000 -c idle_in_transaction_session_timeout=5000',
  }
}

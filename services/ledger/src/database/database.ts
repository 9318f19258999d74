import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { type CallClass, eachClass } from '@malipo/runtime/call-classes'
import { poolConfig, transactionBounds } from '@malipo/runtime/database'
import { openMeasuredPool } from '@malipo/runtime/measured-pool'
import { waitOf } from '@malipo/runtime/waits'
import type { Pool } from 'pg'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient

/**
 * Connections of each class of work, in their own pools, so that reads take none from payments and payments none from
 * settlement. With more connections the work would only wait inside PostgreSQL, and not here, where waiting has a
 * deadline.
 */
const connectionsMax = {
  settle: 6,
  pay: 4,
  create: 3,
  read: 3,
  list: 2,
} as const satisfies Record<CallClass | 'list', number>

/** A call that waits longer than this for a connection is dropped before it begins: its caller would soon give up. */
const waitMs = {
  settle: 2_000,
  pay: 2_000,
  create: 2_000,
  read: 1_200,
  list: 1_200,
} as const satisfies Record<keyof typeof connectionsMax, number>

/**
 * Statements of the hot path look for single rows by their keys, and are planned once a connection. A plan that was
 * made while the tables were small must not read them whole.
 */
export const settlePlans = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const

const byKey = Object.entries(settlePlans).map(([name, value]) => ` -c ${name}=${value}`)

export interface SharedDatabase {
  /**
   * Shares the connections of `pool`. In the class of reads it has separate connections, because a list or a search must be
   * planned for its values.
   */
  readonly db: Database
  /** For the statements of the hot path. */
  readonly pool: Pool
  close(): Promise<void>
}

export type Databases = Readonly<Record<CallClass, SharedDatabase>>

export function openDatabases(url: string): Databases {
  return eachClass((callClass) => {
    const pool = openPool(url, callClass, byKey)
    const shared = callClass === 'read' ? openPool(url, 'list', []) : pool
    const adapter = new PrismaPg(shared, {
      statementNameGenerator: ({ sql }) => statementName(sql),
    })
    const db = new PrismaClient({ adapter, transactionOptions: transactionBounds() })
    return {
      ...{ db, pool },
      async close() {
        await db.$disconnect()
        await Promise.all([...new Set([pool, shared])].map((one) => one.end()))
      },
    }
  })
}

function openPool(url: string, name: keyof typeof connectionsMax, plans: readonly string[]): Pool {
  const config = poolConfig(url, connectionsMax[name])
  return openMeasuredPool(name, {
    ...config,
    options: [config.options, ...plans].join(''),
    // Statements of a transaction that are asked for without waiting share a round trip.
    pipeline: true,
    connectionTimeoutMillis: waitOf(waitMs[name]),
  })
}

/** One connection for audits, beside those of payments: its statements may take longer than a payer would wait. */
export function openAuditDatabase(url: string): Database {
  const adapter = new PrismaPg({
    ...poolConfig(url, 1),
    query_timeout: waitOf(35_000),
    // The regular audit and an audit that an operator asks for share the connection, so each waits for queries of both.
    connectionTimeoutMillis: waitOf(35_000),
    options:
      '-c statement_timeout=30000 -c lock_timeout=1000 -c max_parallel_workers_per_gather=0 -c work_mem=64MB',
  })
  return new PrismaClient({ adapter })
}

/** One connection for audits to a standby of the database, on the server at `address`. */
export function openStandby(url: string, address: string): Database {
  const there = new URL(url)
  there.host = address
  return openAuditDatabase(there.href)
}

const names = new Map<string, string>()

/**
 * A named statement is parsed and planned once a connection. The service has a fixed set of statements, so the names
 * are few; the bound is for a day when that is no longer true.
 */
const namesMax = 1_000

function statementName(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= namesMax) names.clear()
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 32)
  names.set(sql, name)
  return name
}

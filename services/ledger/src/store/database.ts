import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { poolConfig } from '@malipo/runtime/database'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient

/** More connections than this only queue inside PostgreSQL instead of here, where waiting has a deadline. */
const connectionsMax = 16

export function openDatabase(url: string): Database {
  const adapter = new PrismaPg(poolConfig(url, connectionsMax), {
    statementNameGenerator: ({ sql }) => statementName(sql),
  })
  return new PrismaClient({ adapter })
}

/** Beside the payments and behind them: one connection that reads, and may take longer over it than a payer would wait. */
export function openAuditDatabase(url: string): Database {
  const adapter = new PrismaPg({
    ...poolConfig(url, 1),
    query_timeout: 35_000,
    options: '-c statement_timeout=30000 -c lock_timeout=1000 -c max_parallel_workers_per_gather=0',
  })
  return new PrismaClient({ adapter })
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

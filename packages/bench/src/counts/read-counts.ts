import { once } from 'node:events'
import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import type { StackFile } from '@malipo/stack/stack-file'
import { Client } from 'pg'
import { readMetrics } from '../overload/usage'

/**
 * Counts by the name of the operation. Some counters began before the stack, so only differences between two readings
 * mean something.
 */
export type Counts = Readonly<Record<string, number>>

/** Lets the server of a running stack count its statements from its next start on. */
export async function askForStatements(file: StackFile): Promise<void> {
  await inDatabase(file.databases.ledger_ke, (client) =>
    client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`),
  )
}

export async function openStatements({ databases }: StackFile): Promise<void> {
  await inDatabase(databases.ledger_ke, (client) =>
    client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'),
  )
}

/**
 * Counts the calls to Kenya's ledger, auth and keys, and the statements, commits and Redis commands of the whole stack.
 */
export async function readCounts(file: StackFile): Promise<Counts> {
  return { ...(await readCalls(file)), ...(await readDatabase(file)), ...(await readRedis(file)) }
}

const served = ['ledger-ke', 'auth', 'keys'] as const
const callName = /^malipo_rpc_seconds_count\{.*method="([^"]+)"/

async function readCalls({ processes }: StackFile): Promise<Counts> {
  const calls: Record<string, number> = {}
  for (const name of served) {
    for (const [metric, value] of await readMetrics(processes[name]?.metrics_url)) {
      const method = callName.exec(metric)?.[1]
      if (method === undefined) continue
      for (const what of [`call ${method}`, 'calls']) calls[what] = (calls[what] ?? 0) + value
    }
  }
  return calls
}

interface StatementRow {
  readonly text: string
  readonly calls: number
  readonly rows: number
  readonly blocks: number
  readonly us: number
}

async function readDatabase({ databases }: StackFile): Promise<Counts> {
  return inDatabase(databases.ledger_ke, async (client) => {
    const counts: Record<string, number> = {}
    const [whole] = (
      await client.query<Record<string, number>>(
        `
        SELECT sum(xact_commit)::float8 AS commits,
          pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "bytes of WAL"
        FROM pg_stat_database WHERE datname = ANY ($1)`,
        [Object.values(databases).flatMap((url) => (url === undefined ? [] : [nameOf(url)]))],
      )
    ).rows
    Object.assign(counts, whole)
    const statements = await client.query<StatementRow>(`
      SELECT query AS text, calls::float8, rows::float8, total_exec_time * 1000 AS us,
        (shared_blks_hit + shared_blks_read)::float8 AS blocks
      FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'`)
    for (const { text, calls, blocks, us } of statements.rows) {
      const what = text.replace(/\s+/g, ' ').trim().slice(0, 110)
      add(counts, 'statements', calls)
      add(counts, `statement ${what}`, calls)
      add(counts, `pages ${what}`, blocks)
      add(counts, `us ${what}`, us)
    }
    const indexes = await client.query<{ name: string; scans: number }>(
      'SELECT indexrelname AS name, idx_scan::float8 AS scans FROM pg_stat_user_indexes',
    )
    for (const { name, scans } of indexes.rows) add(counts, `scans of ${name}`, scans)
    return counts
  })
}

async function readRedis({ redis: url }: StackFile): Promise<Counts> {
  const redis = openRedis(url, openLog('bench', 'silent'))
  await once(redis, 'ready')
  const text = await redis.info('commandstats')
  redis.disconnect()
  const counts: Record<string, number> = {}
  for (const [, name = '', calls = ''] of text.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)) {
    add(counts, 'commands of Redis', Number(calls))
    add(counts, `Redis ${name}`, Number(calls))
  }
  return counts
}

function add(counts: Record<string, number>, what: string, count: number): void {
  counts[what] = (counts[what] ?? 0) + count
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

async function inDatabase<Answer>(
  url: string,
  work: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

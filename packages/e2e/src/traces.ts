import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import type { Fixture } from './fixture'

/** The text that a thief of one log, dump or file of a stack would read. */
export interface Trace {
  readonly where: string
  readonly text: string
}

/** Every row of every database, every key of Redis, and every line of every log. */
export async function tracesIn(fixture: Fixture): Promise<Trace[]> {
  return [...(await databaseDumps(fixture)), ...(await redisDump(fixture)), ...logsOf(fixture)]
}

/** Every row of every table of every database, with bytes decoded as text. */
async function databaseDumps({ stack }: Fixture): Promise<Trace[]> {
  const dumps: Trace[] = []
  for (const [name, url] of Object.entries(stack.file.databases)) {
    const pool = new Pool({ connectionString: url, max: 1 })
    const tables = await pool.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    for (const table of tables.rows) {
      const { rows } = await pool.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${table.name} t`,
      )
      const text = rows.map(({ row }) => JSON.stringify(row, readable)).join('\n')
      dumps.push({ where: `${name}.${table.name}`, text })
    }
    await pool.end()
  }
  return dumps
}

/** Decodes bytes, which PostgreSQL writes as `\x5b22…`. */
function readable(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^\\x(?:[0-9a-f]{2})+$/.test(value)
    ? Buffer.from(value.slice(2), 'hex').toString('latin1')
    : value
}

async function redisDump({ stack }: Fixture): Promise<Trace[]> {
  const redis = new Redis(stack.file.redis)
  const traces: Trace[] = []
  for (const key of await redis.keys('*')) {
    const dump = await redis.dumpBuffer(key)
    traces.push({ where: `redis ${key}`, text: key + dump.toString('latin1') })
  }
  redis.disconnect()
  return traces
}

/** The log files of all services, and of the simulator, which must not keep card data either. */
function logsOf({ stack }: Fixture): Trace[] {
  const dir = join(stack.dir, 'logs')
  return readdirSync(dir).map((file) => ({
    where: file,
    text: readFileSync(join(dir, file), 'utf8'),
  }))
}

/** Lists the files of a stack that contain any of the bytes, also the pages and write-ahead logs of its databases. */
export function filesWith({ stack }: Fixture, wanted: readonly Buffer[]): string[] {
  const files = readdirSync(stack.dir, { recursive: true, withFileTypes: true })
  return (
    files
      // A file that is being written gets its final name within a second, so it may be gone before it is read.
      .filter((file) => file.isFile() && !file.name.endsWith('.partial'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => {
        const bytes = readFileSync(path)
        return wanted.some((secret) => bytes.includes(secret))
      })
  )
}

import { randomBytes } from 'node:crypto'
import type { DatabaseService } from '@malipo/stack/migrate'
import { Client, Pool } from 'pg'

export interface TestDatabase {
  readonly url: string
  /** For looking at rows, and for breaking them, past the service that owns them. */
  readonly pool: Pool
  drop(): Promise<void>
}

/** A database of its own for one test file, cloned from the migrated template of `service`. */
export async function cloneDatabase(service: DatabaseService): Promise<TestDatabase> {
  const name = `test_${service}_${randomBytes(6).toString('hex')}`
  await onServer(`CREATE DATABASE ${name} TEMPLATE template_${service}`)
  const url = new URL(serverUrl())
  url.pathname = name
  const pool = new Pool({ connectionString: url.href, max: 20 })
  // Dropping the database cuts connections that are still being closed; nobody asks them anything more.
  pool.on('error', () => undefined)
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end()
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  // Two files that clone the same template at once would refuse each other; the lock makes them take turns.
  await client.query('SELECT pg_advisory_lock(1)')
  await client.query(statement)
  await client.end()
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_SERVER']
  if (url === undefined) throw new Error('Database tests are called *.db.test.ts')
  return url
}

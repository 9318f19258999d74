import { randomBytes } from 'node:crypto'
import type { DatabaseService } from '@malipo/stack/migrate'
import { urlOfRole } from '@malipo/stack/service-role'
import { Client, Pool } from 'pg'

export interface TestDatabase {
  /** The URL that the service connects with, as its running role, whose rights prisma/grants.json lists. */
  readonly url: string
  /** The URL of the owner, as which the migrate step runs. */
  readonly ownerUrl: string
  /** Connections with the role of the owner, by which a test reads or corrupts rows without the service. */
  readonly pool: Pool
  drop(): Promise<void>
}

/** A separate database for one test file, cloned from the migrated template of `service`. */
export function cloneDatabase(service: DatabaseService): Promise<TestDatabase> {
  return cloneOf(service, `template_${service}`)
}

/** Copies a test database as it is now. No connection to it may be open. */
export function copyDatabase(service: DatabaseService, of: TestDatabase): Promise<TestDatabase> {
  return cloneOf(service, new URL(of.ownerUrl).pathname.slice(1))
}

async function cloneOf(service: DatabaseService, template: string): Promise<TestDatabase> {
  const name = `test_${service}_${randomBytes(6).toString('hex')}`
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(serverUrl())
  url.pathname = name
  const pool = new Pool({ connectionString: url.href, max: 20 })
  // Dropping the database cuts connections that are still being closed; they carry no more queries.
  pool.on('error', () => undefined)
  return {
    url: serviceUrlOf(service, url.href),
    ownerUrl: url.href,
    pool,
    async drop() {
      await pool.end()
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** All clones of a service share its role, because a clone keeps the grants of its template. */
export function serviceUrlOf(service: DatabaseService, ownerUrl: string): string {
  return urlOfRole(ownerUrl, `test_${service}`, 'test')
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

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type DatabaseUrls, grantService } from './service-role'

/** The folder of the whole repository, from `packages/stack/{src,dist}`. */
export const repositoryDir = join(__dirname, '../../..')

/** The services that have a database of their own. */
export type DatabaseService = 'ledger' | 'keys' | 'auth'

/**
 * Applies the migrations of a service as the owner of its database, as `prisma migrate deploy` does, and gives the running
 * role its rights. The engine is ESM and WebAssembly, hence a process; it takes a second to load, so a database that has
 * all migrations gets the rights alone.
 */
export async function migrate(
  service: DatabaseService,
  urls: DatabaseUrls,
  signal?: AbortSignal,
): Promise<void> {
  const serviceDir = join(repositoryDir, 'services', service)
  const applied = (await isMigrated(service, urls.owner))
    ? grantService(urls, serviceDir)
    : runMigrations(serviceDir, urls, signal)
  await applied.catch((error: unknown) => {
    throw new Error(`The migrations of ${service} failed: ${String(error)}`, { cause: error })
  })
}

async function runMigrations(
  serviceDir: string,
  urls: DatabaseUrls,
  signal: AbortSignal | undefined,
): Promise<void> {
  const script = join(repositoryDir, 'packages/stack/bin/migrate.mjs')
  const own = { DATABASE_URL: urls.owner, SERVICE_DATABASE_URL: urls.service }
  const options = { env: { ...process.env, ...own }, ...(signal && { signal }) }
  await promisify(execFile)(process.execPath, [script, '--service', serviceDir], options)
}

async function isMigrated(service: DatabaseService, url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const table = await client.query<{ oid: string | null }>(
    "SELECT to_regclass('_prisma_migrations') AS oid",
  )
  const applied =
    table.rows[0]?.oid == null
      ? []
      : await client
          .query<{ name: string }>(
            'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
          )
          .then(({ rows }) => rows.map((row) => row.name))
  await client.end()
  return migrationsOf(service).every((name) => applied.includes(name))
}

function migrationsOf(service: DatabaseService): string[] {
  const dir = join(repositoryDir, 'services', service, 'prisma/migrations')
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

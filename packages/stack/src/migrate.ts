import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

/** The folder of the whole repository, from `packages/stack/{src,dist}`. */
export const repositoryDir = join(__dirname, '../../..')

/** The services that have a database of their own. */
export type DatabaseService = 'ledger' | 'keys' | 'auth'

/**
 * Applies the migrations of a service, as `prisma migrate deploy` does. The engine is ESM and WebAssembly, hence a
 * process; it takes a second to load, so a database that has all of them is left alone.
 */
export async function migrate(
  service: DatabaseService,
  url: string,
  signal?: AbortSignal,
): Promise<void> {
  if (await isMigrated(service, url)) return
  const script = join(repositoryDir, 'packages/stack/bin/migrate.mjs')
  const args = [script, '--service', join(repositoryDir, 'services', service)]
  const environment = { ...process.env, DATABASE_URL: url }
  const options = { env: environment, ...(signal && { signal }) }
  await promisify(execFile)(process.execPath, args, options).catch((error: unknown) => {
    throw new Error(`The migrations of ${service} failed: ${String(error)}`, { cause: error })
  })
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

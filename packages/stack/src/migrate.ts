import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { againAfterLostLock } from './again-after-lost-lock'
import { takeHistory } from './migration-history'
import { checkLogin, type DatabaseUrls, grantService } from './service-role'
import { applySqlObjects } from './sql-objects'

/** The folder of the whole repository, from `packages/stack/{src,dist}`. */
export const repositoryDir = join(__dirname, '../../..')

export type DatabaseService = 'ledger' | 'keys' | 'auth'

/** Does the migrate step of a service. An error has the name of the service. */
export async function migrate(
  service: DatabaseService,
  urls: DatabaseUrls,
  signal?: AbortSignal,
): Promise<void> {
  const serviceDir = join(repositoryDir, 'services', service)
  await migrateDatabase(serviceDir, urls, signal).catch((error: unknown) => {
    throw new Error(`The migrations of ${service} failed: ${String(error)}`, { cause: error })
  })
}

const isAhead = 'A later release has migrated this database: nothing is changed.\n'

/**
 * Applies the migrations of the service in `serviceDir` as the owner of its database, as `prisma migrate deploy` does,
 * then its prisma/sql, and gives the running role its rights. Returns what it has applied, a line each. Throws, before
 * anything is changed, when the database has another history; what a later release has migrated is left alone.
 */
export async function migrateDatabase(
  serviceDir: string,
  urls: DatabaseUrls,
  signal?: AbortSignal,
): Promise<string> {
  const state = await takeHistory(urls.owner, serviceDir)
  if (state === 'ahead') return isAhead
  const applied = state === 'pending' ? await runEngine(serviceDir, urls, signal) : ''
  // Objects, version and rights come in one transaction, so that a service that waits for the version has its rights.
  const made = await againAfterLostLock(() =>
    applySqlObjects(urls.owner, serviceDir, (client) =>
      grantService(client, urls.service, serviceDir),
    ),
  )
  await checkLogin(urls.service)
  return made === 'ahead' ? isAhead : applied
}

/** Runs Prisma's engine as a process, because it is ESM and WebAssembly. It takes a second to load. */
async function runEngine(
  serviceDir: string,
  urls: DatabaseUrls,
  signal: AbortSignal | undefined,
): Promise<string> {
  const script = join(__dirname, '../bin/engine.mjs')
  const options = {
    env: { ...process.env, DATABASE_URL: urls.owner },
    ...(signal && { signal }),
  }
  const ran = await promisify(execFile)(
    process.execPath,
    [script, '--service', serviceDir],
    options,
  )
  return ran.stdout
}

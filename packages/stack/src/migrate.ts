import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The folder of the whole repository, from `packages/stack/{src,dist}`. */
export const repositoryDir = join(__dirname, '../../..')

/** The services that have a database of their own. */
export type DatabaseService = 'ledger' | 'keys' | 'auth'

/** Applies the migrations of a service, as `prisma migrate deploy` does. The engine is ESM and WebAssembly, hence a process. */
export function migrate(service: DatabaseService, url: string): void {
  const script = join(repositoryDir, 'packages/stack/bin/migrate.mjs')
  const ran = spawnSync(
    process.execPath,
    [script, '--service', join(repositoryDir, 'services', service)],
    { encoding: 'utf8', env: { ...process.env, DATABASE_URL: url } },
  )
  if (ran.status !== 0) throw new Error(`The migrations of ${service} failed:\n${ran.stderr}`)
}

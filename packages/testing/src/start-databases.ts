import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@malipo/stack/free-port'
import { type DatabaseService, migrate, repositoryDir } from '@malipo/stack/migrate'
import { createDatabase, openPostgres, type Postgres } from '@malipo/stack/postgres'
import { findRedis } from '@malipo/stack/redis'

declare global {
  var stopTestDatabases: (() => Promise<void>) | undefined
}

const services: readonly DatabaseService[] = ['ledger', 'keys', 'auth']

/**
 * Jest's global set-up of the database tests: one real PostgreSQL and one real Redis in a temporary folder, and one
 * migrated template database a service, which each test file clones in some 30 ms.
 */
export default async function startDatabases(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-test-'))
  const postgres = await openPostgres({
    dataDir: join(dir, 'postgres'),
    password: 'test',
    // Nobody needs the test data after a power cut, and cloning is much faster so.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  await makeTemplates(postgres)
  const redis = await startRedis(dir)
  process.env['TEST_DATABASE_SERVER'] = postgres.url('postgres')
  process.env['TEST_REDIS_URL'] = redis.url
  globalThis.stopTestDatabases = async () => {
    redis.stop()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function makeTemplates(postgres: Postgres): Promise<void> {
  for (const service of services) {
    if (!existsSync(join(repositoryDir, 'services', service, 'prisma/migrations'))) continue
    await createDatabase(postgres.url('postgres'), `template_${service}`)
    migrate(service, postgres.url(`template_${service}`))
  }
}

async function startRedis(dir: string): Promise<{ url: string; stop: () => void }> {
  const port = await freePort()
  const child = spawn(findRedis(), ['--port', String(port), '--save', '', '--dir', dir], {
    stdio: 'ignore',
  })
  return { url: `redis://127.0.0.1:${String(port)}`, stop: () => void child.kill('SIGKILL') }
}

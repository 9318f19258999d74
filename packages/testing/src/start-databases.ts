import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@malipo/stack/free-port'
import { type DatabaseService, migrate, repositoryDir } from '@malipo/stack/migrate'
import { createDatabase, openPostgres, type Postgres } from '@malipo/stack/postgres'
import { provideRedis } from '@malipo/stack/provide-redis'
import { serviceUrlOf } from './database'

declare global {
  var stopTestDatabases: (() => Promise<void>) | undefined
}

const services: readonly DatabaseService[] = ['ledger', 'keys', 'auth']

/**
 * Jest's global set-up of the database tests: one real PostgreSQL and one real Redis in a temporary folder, and one
 * migrated template database a service, which each test file clones in some 30 ms.
 */
export default async function startDatabases(): Promise<void> {
  // Jest calls this for each project of a run. If servers were started twice, only one pair would be stopped, and the
  // run would not end.
  if (globalThis.stopTestDatabases !== undefined) return
  const dir = mkdtempSync(join(tmpdir(), 'malipo-test-'))
  const postgres = await openPostgres({
    dataDir: join(dir, 'postgres'),
    password: 'test',
    // Test data need not survive a power cut, and cloning is much faster with these settings off.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  const redis = await startRedis(dir)
  const killAll = () => {
    redis.stop()
    process.kill(postgres.pid, 'SIGQUIT')
    rmSync(dir, { recursive: true, force: true })
  }
  // A run that is broken off never reaches the tear-down; its servers must not outlive it.
  process.once('exit', killAll)
  process.once('SIGTERM', () => process.exit(143))
  globalThis.stopTestDatabases = async () => {
    process.off('exit', killAll)
    redis.stop()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  await makeTemplates(postgres)
  process.env['TEST_DATABASE_SERVER'] = postgres.url('postgres')
  process.env['TEST_REDIS_URL'] = redis.url
}

async function makeTemplates(postgres: Postgres): Promise<void> {
  for (const service of services) {
    if (!existsSync(join(repositoryDir, 'services', service, 'prisma/migrations'))) continue
    await createDatabase(postgres.url('postgres'), `template_${service}`)
    const owner = postgres.url(`template_${service}`)
    await migrate(service, { owner, service: serviceUrlOf(service, owner) })
  }
}

async function startRedis(dir: string): Promise<{ url: string; stop: () => void }> {
  const port = await freePort()
  const server = await provideRedis((line) => process.stderr.write(`${line}\n`))
  const child = spawn(server, ['--port', String(port), '--save', '', '--dir', dir], {
    stdio: 'ignore',
  })
  return { url: `redis://127.0.0.1:${String(port)}`, stop: () => void child.kill('SIGKILL') }
}

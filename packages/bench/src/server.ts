import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@malipo/stack/migrate'
import { createDatabase, openPostgres, type Postgres } from '@malipo/stack/postgres'
import { urlOfRole } from '@malipo/stack/service-role'
import { Pool } from 'pg'

export interface BenchDatabase {
  readonly name: string
  /** The URL by which a ledger or pgbench connects. */
  readonly url: string
  /** The pid of its PostgreSQL server. */
  readonly pid: number
  /** Connections with the role of the owner. */
  readonly pool: Pool
}

/**
 * A separate PostgreSQL server for the run, as durable as in production, with the databases of two ledgers and an empty
 * one.
 */
export interface Server {
  readonly ledger: BenchDatabase
  readonly other: BenchDatabase
  readonly floor: BenchDatabase
  /** The folder of the server's log, which has the statements while `log_statement` is on. */
  readonly logDir: string
  readonly pid: number
}

/** Memory as a small production server has it; everything that makes a commit durable stays on. */
const settings = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_filename: 'asked',
  log_file_mode: '0644',
}

/** Starts a server for the run. Stops it and deletes its data when the run ends, also when it throws. */
export async function withServer<Result>(
  run: (server: Server) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const dataDir = join(dir, 'postgres')
  const postgres = await openPostgres({ dataDir, password: 'bench', settings })
  const pools: Pool[] = []
  const stop = async () => {
    for (const pool of pools) await pool.end()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    return await run(await openServer(postgres, { pools, logDir: join(dataDir, 'log') }))
  } finally {
    await stop()
  }
}

async function openServer(
  postgres: Postgres,
  { pools, logDir }: { readonly pools: Pool[]; readonly logDir: string },
): Promise<Server> {
  const open = async (name: string): Promise<BenchDatabase> => {
    await createDatabase(postgres.url('postgres'), name)
    const owner = postgres.url(name)
    const pool = new Pool({ connectionString: owner, max: 4 })
    // Stopping the server cuts connections that are still being closed; they carry no more requests.
    pool.on('error', () => undefined)
    pools.push(pool)
    return { name, url: owner, pid: postgres.pid, pool }
  }
  const openLedger = async (name: string): Promise<BenchDatabase> => {
    const database = await open(name)
    const urls = { owner: database.url, service: urlOfRole(database.url, `bench_${name}`, 'bench') }
    await migrate('ledger', urls)
    return { ...database, url: urls.service }
  }
  const [ledger, other] = [await openLedger('ledger'), await openLedger('other')]
  return { ledger, other, floor: await open('floor'), logDir, pid: postgres.pid }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@malipo/stack/migrate'
import { createDatabase, openPostgres, type Postgres } from '@malipo/stack/postgres'
import { Pool } from 'pg'

export interface BenchDatabase {
  readonly name: string
  readonly url: string
  readonly pool: Pool
}

/** A PostgreSQL of the run's own, as durable as in production, with two ledgers' databases and an empty one. */
export interface Server {
  readonly ledger: BenchDatabase
  readonly other: BenchDatabase
  readonly floor: BenchDatabase
  /** Where the server writes down what it is asked, when it is told to. */
  readonly logDir: string
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

/** Runs with a server that ends, and takes its rows along, however the run ends. */
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
  return openServer(postgres, { pools, logDir: join(dataDir, 'log') })
    .then(run)
    .finally(stop)
}

async function openServer(
  postgres: Postgres,
  { pools, logDir }: { readonly pools: Pool[]; readonly logDir: string },
): Promise<Server> {
  const open = async (name: string): Promise<BenchDatabase> => {
    await createDatabase(postgres.url('postgres'), name)
    const url = postgres.url(name)
    const pool = new Pool({ connectionString: url, max: 4 })
    // Stopping the server cuts connections that are still being closed; nobody asks them anything more.
    pool.on('error', () => undefined)
    pools.push(pool)
    return { name, url, pool }
  }
  const [ledger, other, floor] = [await open('ledger'), await open('other'), await open('floor')]
  await migrate('ledger', ledger.url)
  await migrate('ledger', other.url)
  return { ledger, other, floor, logDir }
}

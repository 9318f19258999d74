import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Server } from './server'

/** The pgbench scripts that transfer money with pgledger, a public ledger in SQL that ours is compared with. */
export interface Peer {
  readonly random: string
  readonly hot: string
}

const accounts = 1_000

/** Installs pgledger beside TPC-B's tables, with the helpers that it keeps in its folder `vendor`. */
export async function openPeer(server: Server, file: string): Promise<Peer> {
  const vendor = join(dirname(file), 'vendor')
  const helpers = existsSync(vendor)
    ? readdirSync(vendor, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.sql'),
      )
    : []
  for (const helper of helpers)
    await server.floor.pool.query(readFileSync(join(vendor, helper), 'utf8'))
  await server.floor.pool.query(readFileSync(file, 'utf8'))
  await server.floor.pool.query(`
    CREATE TABLE bench_accounts AS
    SELECT n, (pgledger_create_account('bench ' || n, 'KES')).id FROM generate_series(1, ${String(accounts)}) n`)
  await server.floor.pool.query('ALTER TABLE bench_accounts ADD PRIMARY KEY (n)')
  await server.floor.pool.query('ANALYZE')
  const account = (name: string) => `(SELECT id FROM bench_accounts WHERE n = :${name})`
  const transfer = `SELECT * FROM pgledger_create_transfer(${account('a')}, ${account('b')}, 500.00);`
  const number = (name: string, from: number) =>
    `\\set ${name} random(${String(from)}, ${String(accounts)})\n`
  return {
    random: `${number('a', 2)}${number('b', 2)}\\if :a = :b\n\\set b 1\n\\endif\n${transfer}\n`,
    hot: `${number('a', 2)}\\set b 1\n${transfer}\n`,
  }
}

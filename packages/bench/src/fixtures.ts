import type { Pool } from 'pg'
import type { Captured } from './capture'
import type { Script } from './scripts'

/** The numbers of the rows to make, `from` to `to`; each is a varied copy of one row that the ledger made. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** How many merchants the payments are spread over, unless all are for one. */
const merchants = 1_000

/** Adds attempts whose money has come and waits to be settled, all of one hot merchant or of many merchants. */
export async function addUnsettled(
  pool: Pool,
  { checkoutId, intentId, messageId }: Captured,
  { from, to }: Range,
  ofMany: boolean,
): Promise<void> {
  const ids = { id: `bench_id('pi_', n)`, checkout_id: `bench_id('cs_ke_', n)` }
  await copy(
    pool,
    { table: 'checkouts', id: checkoutId, from, to },
    {
      id: ids.checkout_id,
      ...(ofMany && { account_id: `'bench_' || n % ${String(merchants)}` }),
    },
  )
  await copy(
    pool,
    { table: 'intents', id: intentId, from, to },
    {
      ...ids,
      phone: `'2547' || lpad((n % 100000000)::text, 8, '0')`,
      attempt_reference: `'M' || lpad(upper(to_hex(n)), 11, '0')`,
    },
  )
  await copy(
    pool,
    { table: 'provider_messages', id: messageId, from, to },
    {
      id: `bench_id('pm_', n)`,
      intent_id: ids.id,
    },
  )
}

/** The wallets of many merchants. */
export async function addMerchants(pool: Pool, pattern: string): Promise<void> {
  const range = { from: 0, to: merchants - 1 }
  const account = `'bench_' || n`
  await copy(
    pool,
    { table: 'wallets', id: pattern, key: 'account_id', ...range },
    { account_id: account },
  )
  await copy(
    pool,
    { table: 'accounts', id: `wallet:${pattern}`, ...range },
    { id: `'wallet:' || ${account}` },
  )
}

interface Pattern extends Range {
  readonly table: string
  readonly id: string
  readonly key?: string
}

/** Copies one row many times, with some of its columns varied by `n`, before the measurement begins. */
export async function copy(
  pool: Pool,
  { table, id, key = 'id', from, to }: Pattern,
  varied: Readonly<Record<string, string>>,
): Promise<void> {
  const client = await pool.connect()
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => varied[name] ?? `pattern.${name}`)
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query('SET LOCAL statement_timeout = 0')
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')})
     SELECT ${values.join(', ')} FROM ${table} pattern, generate_series(${String(from)}, ${String(to)}::bigint) n
     WHERE pattern.${key} = $1 ON CONFLICT DO NOTHING`,
    [id],
  )
  await client.query('COMMIT')
  client.release()
}

/**
 * Fills the table `bench_sent` with the values that clients send in transactions `from` to `to`, and drops the former
 * table.
 */
export async function addSent(pool: Pool, { sent }: Script, { from, to }: Range): Promise<void> {
  const names = Object.keys(sent)
  await pool.query('DROP TABLE IF EXISTS bench_sent')
  await pool.query(
    `CREATE TABLE bench_sent (n BIGINT PRIMARY KEY, ${names.map((name) => `${name} TEXT STORAGE EXTERNAL`).join(', ')})`,
  )
  await pool.query('GRANT SELECT ON bench_sent TO PUBLIC')
  const client = await pool.connect()
  await client.query('SET statement_timeout = 0')
  await client.query(`INSERT INTO bench_sent (n, ${names.join(', ')})
    SELECT b.n, ${Object.values(sent).join(', ')} FROM generate_series(${String(from)}, ${String(to)}::bigint) b (n)`)
  client.release(true)
  await pool.query('VACUUM ANALYZE bench_sent')
}

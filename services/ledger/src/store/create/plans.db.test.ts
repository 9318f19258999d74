import type { PoolClient } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { settlePlans } from '../database'
import { createCheckoutStatements } from './create-checkout'

let at: TestLedger
let client: PoolClient

beforeAll(async () => {
  at = await openLedger()
  client = await at.database.pool.connect()
})

afterAll(async () => {
  client.release()
  await at.close()
})

const tables = [
  ...['wallets', 'idempotency_keys', 'checkouts', 'pay_bill_numbers', 'webhook_endpoints'],
]

async function lookedAt(): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked
    FROM pg_stat_xact_user_tables WHERE relname = ANY ($1)`,
    [tables],
  )
  return rows[0]?.looked ?? 0
}

/** How many rows of the tables the save of a batch looks at: of a created, a replayed and a refused one. */
async function looksAt(): Promise<number> {
  const row = { accountId: 'acc_7', fingerprint: '07'.repeat(32), amountMinor: '50000' }
  const given = ['00', '01', '02'].map((end, place) => ({
    ...{ ...row, place, mayCreate: place !== 2, id: `cs_ke_${end.padStart(24, '0')}` },
    ...{ key: `key ${String(place)}`, payBillNumber: `CS000000${end}` },
  }))
  await client.query('SAVEPOINT before')
  const before = await lookedAt()
  const values = [JSON.stringify(given), 1_800]
  await client.query({ ...createCheckoutStatements.save, values })
  const looked = (await lookedAt()) - before
  await client.query('ROLLBACK TO before')
  return looked
}

test('a plan that was made on empty tables looks for the rows of a batch, and reads no table whole', async () => {
  await client.query('BEGIN')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await looksAt()
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query(`
    INSERT INTO wallets (account_id, card_enabled) SELECT 'acc_' || n, false FROM generate_series(1, 2000) n;
    INSERT INTO webhook_endpoints (id, account_id)
      SELECT 'we_' || lpad(to_hex(n), 24, '0'), 'acc_' || n FROM generate_series(1, 2000) n;
    INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
      SELECT 'create acc_7', 'key ' || n, decode(repeat('07', 32), 'hex'), 'cs_ke_' || n, now()
      FROM generate_series(1, 2000) n`)
  expect(await looksAt()).toBeLessThan(20)
  await client.query('ROLLBACK')
})

test('the save is planned once a connection', async () => {
  const { rows } = await client.query(
    'SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1',
    [createCheckoutStatements.save.name],
  )
  expect(rows).toEqual([{ generic: 2, custom: 0 }])
})

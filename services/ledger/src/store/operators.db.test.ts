import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'

const migrations = join(__dirname, '../../prisma/migrations')
const own = /_(?:operators|two_operators)$/

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase('ledger')
})

afterAll(() => database.drop())

/** Applies those of the migrations that come before the operators, or from them on. */
async function migrate(isWanted: (isBefore: boolean) => boolean): Promise<void> {
  const all = readdirSync(migrations)
    .filter((name) => /^\d{14}_/.test(name))
    .sort()
  const first = all.findIndex((name) => own.test(name))
  for (const [index, name] of all.entries()) {
    if (!isWanted(index < first)) continue
    await database.pool.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'))
  }
}

test('names of the time before keys stay readable, and agree to nothing any more', async () => {
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate((isBefore) => isBefore)
  await database.pool.query(`
    INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, decided_by, callback_secret)
    VALUES
      ('rf_${'1'.repeat(24)}', 'mpesa', 'QK1', 100, 'us', 'approved', 'ops1', now(), 'Ops1', 'x'),
      ('rf_${'2'.repeat(24)}', 'mpesa', 'QK2', 100, 'us', 'asked', 'ops1', now(), NULL, 'x');
    SELECT note_action('ops1', 'refund_asked', 'mpesa:QK1', 'by hand')`)
  await migrate((isBefore) => !isBefore)

  const { rows } = await database.pool.query(
    'SELECT asked_by, decided_by FROM refunds ORDER BY receipt',
  )
  expect(rows).toEqual([
    { asked_by: 'legacy:ops1', decided_by: 'legacy:Ops1' },
    { asked_by: 'legacy:ops1', decided_by: null },
  ])
  const named = await database.pool.query('SELECT operator_name(operator) FROM operator_actions')
  expect(named.rows).toEqual([{ operator_name: 'legacy:ops1' }])
  await database.pool.query(`
    SELECT enroll_operator('op_' || substr(encode(sha256(key), 'hex'), 1, 24), 'ops1', key,
      'op_' || substr(encode(sha256(key), 'hex'), 1, 24)) FROM (VALUES ('${'k'.repeat(32)}'::bytea)) AS keys (key)`)
  const decide = async (isAgreed: boolean, operator: string) => {
    const sql = 'SELECT decide_refund($1, $2, $3, $4) AS outcome'
    const asked = [`rf_${'2'.repeat(24)}`, isAgreed, operator, 'note']
    return (await database.pool.query<{ outcome: string }>(sql, asked)).rows[0]?.outcome
  }
  const {
    rows: [enrolled],
  } = await database.pool.query<{ id: string }>("SELECT id FROM operators WHERE id LIKE 'op%'")
  expect(await decide(true, enrolled?.id ?? '')).toBe('needs_another')
  await expect(decide(false, 'legacy:Ops1')).rejects.toMatchObject({
    constraint: 'operator_actions_of_operators',
  })
  expect(await decide(false, enrolled?.id ?? '')).toBe('withdrawn')
})

import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { Pool } from 'pg'

// The database refuses these statements to the role that the ledger connects as, whatever the ledger's code does.

let database: TestDatabase
let service: Pool
beforeAll(async () => {
  database = await cloneDatabase('ledger')
  service = new Pool({ connectionString: database.url, max: 1 })
})
afterAll(async () => {
  await service.end()
  await database.drop()
})

const notGranted = '42501'

/** Runs a statement, rolls it back, and returns the code of PostgreSQL's error, or `done`. */
async function attempt(sql: string): Promise<string> {
  await service.query('BEGIN')
  const answer = await service.query(sql).then(
    () => 'done',
    (error: unknown) => String((error as { code?: unknown }).code),
  )
  await service.query('ROLLBACK')
  return answer
}

/** The journal, and everything else that is only ever added to. */
const addedTo = [
  ...['transfers', 'accounts', 'journal_seals', 'deployment'],
  ...['intent_steps', 'idempotency_keys', 'operator_acts', 'operator_actions'],
  ...['statement_rows', 'statement_reads', 'recon_reports', 'pay_bill_reports'],
]
/** The tables from which rows may be deleted: rows whose work is done, and a requested operator who is not enrolled yet. */
const workLists = [
  'console_records',
  ...['operators', 'payment_reports', 'wanted_payees'],
  ...['checkout_expiries', 'webhook_events', 'webhook_deliveries'],
]

it.each(addedTo)('refuses every UPDATE of %s', async (table) => {
  const { rows } = await service.query<{ column: string }>(
    'SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
    [table],
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { column } of rows) {
    const answer = await attempt(`UPDATE ${table} SET ${column} = DEFAULT`)
    expect({ column, answer }).toEqual({ column, answer: notGranted })
  }
})

it('refuses DELETE of every table but those of `workLists`, and TRUNCATE, TRIGGER and ALTER of every table', async () => {
  const { rows } = await service.query<{ table: string }>(
    "SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  )
  expect(rows.map(({ table }) => table)).toEqual(expect.arrayContaining([...addedTo, ...workLists]))
  for (const { table } of rows) {
    const statements = [
      `TRUNCATE ${table} CASCADE`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} ADD COLUMN more text`,
      `CREATE TRIGGER ours AFTER INSERT ON ${table} EXECUTE FUNCTION refuse_change('it is ours')`,
      `DROP TABLE ${table} CASCADE`,
      ...(workLists.includes(table) ? [] : [`DELETE FROM ${table}`]),
    ]
    for (const sql of statements) {
      expect({ sql, answer: await attempt(sql) }).toEqual({ sql, answer: notGranted })
    }
  }
})

it.each([
  "SET session_replication_role = 'replica'",
  'DROP TRIGGER transfers_never_change ON transfers',
  'DROP FUNCTION refuse_change CASCADE',
  "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
  'CREATE TABLE ours (n int)',
  "CREATE FUNCTION ours() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  'CREATE SCHEMA ours',
  "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'",
  'LOCK TABLE transfers IN ACCESS EXCLUSIVE MODE',
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'SET ROLE malipo',
  'SET SESSION AUTHORIZATION malipo',
  'SELECT FROM _prisma_migrations',
  'SELECT FROM migrate.applied_sql',
  "SELECT setval('pay_bill_places', 1)",
  "COPY transfers FROM PROGRAM 'true'",
])('refuses %s', async (sql) => {
  expect(await attempt(sql)).toBe(notGranted)
})

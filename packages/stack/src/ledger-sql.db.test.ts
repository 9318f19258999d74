import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { migrate, repositoryDir } from './migrate'
import { readMigrations } from './migration-history'
import { urlOfRole } from './service-role'
import { applySqlObjects, readSqlObjects } from './sql-objects'

// The baseline and prisma/sql make a new database of the ledger. A database of the older migrations has to become the
// same.

const ledgerDir = join(repositoryDir, 'services/ledger')
const fixture = join(ledgerDir, 'fixtures/before-baseline.json.gz')

let database: TestDatabase
beforeEach(async () => {
  database = await cloneDatabase('ledger')
})
afterEach(() => database.drop())

// A role of this file only, because the tests of other files connect as the role that all clones share.
const migrateLedger = () =>
  migrate('ledger', {
    owner: database.ownerUrl,
    service: urlOfRole(database.ownerUrl, 'test_ledger_sql', 'test'),
  })

/** Everything that the migrate step makes, as PostgreSQL spells it. */
async function catalog(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await database.pool.query<{ name: string; definition: string }>(`
    SELECT 'FUNCTION ' || proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'VIEW ' || viewname, definition FROM pg_views WHERE schemaname = 'public'
    UNION ALL SELECT 'TRIGGER ' || tgname, pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT format('CONSTRAINT %s of %s', conname, conrelid::regclass), pg_get_constraintdef(oid) || convalidated
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'INDEX ' || indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('COLUMN %s of %s', attname, attrelid::regclass),
        concat_ws(' ', attnum, format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid))
      FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
    UNION ALL SELECT 'OPTIONS ' || relname, reloptions::text FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
    UNION ALL SELECT 'SEQUENCE ' || sequencename, concat_ws(' ', data_type, start_value, min_value, max_value, cycle)
      FROM pg_sequences WHERE schemaname = 'public'`)
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
}

/** The migrations before the baseline, and the rows that a ledger of that time wrote in its demo. */
interface Before {
  readonly migrations: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, readonly object[]>>
}

/** Makes the database what the migrations before the baseline had made it, with the rows of that time. */
async function makeOld(isWanted: (name: string) => boolean = () => true): Promise<void> {
  const before = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as Before
  await database.pool.query(`
    DROP SCHEMA migrate CASCADE; CREATE SCHEMA aside; ALTER TABLE _prisma_migrations SET SCHEMA aside;
    DROP SCHEMA public CASCADE; CREATE SCHEMA public; ALTER TABLE aside._prisma_migrations SET SCHEMA public;
    DROP SCHEMA aside; DELETE FROM _prisma_migrations`)
  for (const [name, sql] of Object.entries(before.migrations)) {
    if (!isWanted(name)) continue
    await database.pool.query(sql)
    await database.pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES (gen_random_uuid(), $1, now(), $2, 1)`,
      [createHash('sha256').update(sql).digest('hex'), name],
    )
  }
  if (isWanted('20261122070500_report_closings')) await insertRows(before.rows)
}

/** Inserts rows with all triggers off, as the restore of a backup does. */
async function insertRows(rows: Before['rows']): Promise<void> {
  const client = await database.pool.connect()
  await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'")
  for (const [table, given] of Object.entries(rows)) {
    await client.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(given)],
    )
  }
  await client.query('COMMIT')
  client.release()
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Every row of every table. */
async function readRows(): Promise<Rows> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  )
  const all = tables.map(async ({ name }) => {
    const { rows } = await database.pool.query<{ row: Readonly<Record<string, unknown>> }>(
      `SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY t::text`,
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(all))
}

/** The rows without the tables and columns that a migration has added. */
function withColumnsOf(old: Rows, rows: Rows): Rows {
  return Object.fromEntries(
    Object.entries(old).map(([table, before]) => {
      const columns = new Set(before.flatMap((row) => Object.keys(row)))
      const kept = (row: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => columns.has(column)))
      return [table, (rows[table] ?? []).map(kept)]
    }),
  )
}

async function readHistory(): Promise<readonly { name: string; checksum: string }[]> {
  const { rows } = await database.pool.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY migration_name',
  )
  return rows
}

test('each function, view and trigger of a migrated database is the one of its file', async () => {
  const before = await catalog()
  const made = Object.keys(before).filter((name) => /^(?:FUNCTION|VIEW|TRIGGER) /.test(name))
  const files = readSqlObjects(ledgerDir).map(({ kind, name }) => `${kind} ${name}`)
  // A CHECK calls `are_two_operators`, so it is made with its table.
  expect(made.sort()).toEqual([...files, 'FUNCTION are_two_operators'].sort())
  await database.pool.query(`
    DROP SCHEMA migrate CASCADE;
    DO $$ DECLARE v_drop TEXT; BEGIN
      FOR v_drop IN SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proname <> 'are_two_operators'
      LOOP EXECUTE v_drop; END LOOP;
    END $$`)
  await applySqlObjects(database.ownerUrl, ledgerDir)
  expect(await catalog()).toEqual(before)
})

test('no migration after the baseline makes a function, view or trigger: prisma/sql does', () => {
  const found = readMigrations(ledgerDir).flatMap(({ name }) => {
    const sql = readFileSync(join(ledgerDir, 'prisma/migrations', name, 'migration.sql'), 'utf8')
    const made = sql.matchAll(/\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|VIEW|TRIGGER)\s+(\w+)/gi)
    return [...made].map(([, object]) => `${name} ${object ?? ''}`)
  })
  expect(found).toEqual(['20261120000002_evidence are_two_operators'])
})

test.each(['20261122070500_report_closings', '20261122093500_true_state'])(
  'a database of the old migrations up to %s gets the objects of a new one, and keeps its rows and its history',
  async (last) => {
    const [expected, baseline] = [await catalog(), await readHistory()]
    await makeOld((name) => name <= last)
    await database.pool.query(
      "CREATE FUNCTION left_behind() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
    )
    const [rows, old] = [await readRows(), await readHistory()]
    expect(rows['transfers']?.length).toBeGreaterThan(0)
    await migrateLedger()
    expect(await catalog()).toEqual(expected)
    expect(withColumnsOf(rows, await readRows())).toEqual(rows)
    // The records of the old migrations stay, so that the release before can be deployed again.
    const history = await readHistory()
    expect(history).toEqual(expect.arrayContaining([...old]))
    const names = [...baseline, ...old].map(({ name }) => name)
    expect(history.map(({ name }) => name)).toEqual([...new Set(names)].sort())
    await migrateLedger()
    expect(await readHistory()).toEqual(history)
    expect((await database.pool.query('SELECT FROM migrate.applied_sql')).rowCount).toBe(1)
  },
)

/** Everything in a database but the rights of roles. A refused migrate step must not change any of it. */
const state = async () => ({
  catalog: await catalog(),
  rows: await readRows(),
  history: await readHistory(),
})

test('a database with only some of the old migrations is refused with a reason and not changed', async () => {
  await makeOld((name) => name < '20261122')
  const before = await state()
  await expect(migrateLedger()).rejects.toThrow(
    /the database has \d+ of the \d+ migrations that the baseline replaces, up to 20261121013000_held_money: start/,
  )
  expect(await state()).toEqual(before)
})

test('a database with another migration history is refused with a reason and not changed', async () => {
  await makeOld()
  await database.pool.query(
    "UPDATE _prisma_migrations SET migration_name = '20261122080000_other' WHERE migration_name LIKE '%_rules'",
  )
  const before = await state()
  await expect(migrateLedger()).rejects.toThrow(
    /the database has \d+ of the \d+ migrations that the baseline replaces/,
  )
  expect(await state()).toEqual(before)
})

test('a database with tables of another program is refused with a reason', async () => {
  await database.pool.query(`
    DROP SCHEMA migrate CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE guests (name TEXT)`)
  await expect(migrateLedger()).rejects.toThrow(
    'no migration made guests in this database: take an empty one',
  )
})

test('a database whose applied migration was edited since is refused', async () => {
  await database.pool.query(
    "UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%_payments'",
  )
  await expect(migrateLedger()).rejects.toThrow(
    'another form of 20261120000001_payments than the file',
  )
})

test('a database that a later release has migrated is not changed', async () => {
  await database.pool.query(`
    INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
      VALUES ('later', 'x', now(), '20270101000000_later', 1);
    CREATE TABLE later (name TEXT);
    CREATE FUNCTION later() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'`)
  const before = await state()
  await migrateLedger()
  expect(await state()).toEqual(before)
})

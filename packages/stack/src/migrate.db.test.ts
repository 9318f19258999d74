import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { migrateDatabase } from './migrate'
import { urlOfRole } from './service-role'

let database: TestDatabase
const dir = mkdtempSync(join(tmpdir(), 'malipo-migrate-'))

beforeAll(async () => {
  database = await cloneDatabase('keys')
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
})
afterAll(async () => {
  const { pool } = database
  await pool.query('DROP OWNED BY test_migrate; DROP ROLE test_migrate')
  await database.drop()
  rmSync(dir, { recursive: true })
})

function write(path: string, text: string): void {
  mkdirSync(join(dir, 'prisma', path, '..'), { recursive: true })
  writeFileSync(join(dir, 'prisma', path), text)
}

const migration = (name: string, sql: string) => {
  write(`migrations/${name}/migration.sql`, sql)
}

const step = () =>
  migrateDatabase(dir, {
    owner: database.ownerUrl,
    service: urlOfRole(database.ownerUrl, 'test_migrate', 'test'),
  })

async function tables(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  )
  return rows.map(({ name }) => name)
}

test('a migration that fails halfway is rolled back whole, and the next migrate step applies it', async () => {
  write('schema.prisma', 'datasource db {\n  provider = "postgresql"\n}\n')
  write('grants.json', JSON.stringify({ _prisma_migrations: [], first: ['SELECT'] }))
  migration('1_first', 'CREATE TABLE first (name TEXT);')
  expect(await step()).toBe('applied 1_first\n')

  migration('2_second', 'CREATE TABLE second (name TEXT); INSERT INTO second SELECT 1 / 0;')
  await expect(step()).rejects.toThrow('division by zero')
  expect(await tables()).toEqual(['_prisma_migrations', 'first'])

  migration('2_second', 'CREATE TABLE second (name TEXT); INSERT INTO second SELECT 1 / 1;')
  write('grants.json', JSON.stringify({ _prisma_migrations: [], first: [], second: ['SELECT'] }))
  expect(await step()).toBe('applied 2_second\n')
  expect(await tables()).toEqual(['_prisma_migrations', 'first', 'second'])
  expect(await step()).toBe('')
})

test('a migration that waits for a locked table lets writers pass, and is applied when the table is free', async () => {
  const holder = await database.pool.connect()
  await holder.query('BEGIN; INSERT INTO second VALUES (7)')
  migration('3_third', 'ALTER TABLE second ADD COLUMN later TEXT;')
  const stepping = step()
  const writer = await database.pool.connect()
  await writer.query("SET lock_timeout = '1s'")
  await eventually('the migration waits for its table', async () => {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_locks WHERE NOT granted AND relation = 'second'::regclass",
    )
    return rows.length > 0
  })
  await writer.query('INSERT INTO second VALUES (8)')
  await holder.query('COMMIT')
  expect(await stepping).toBe('applied 3_third\n')
  for (const client of [holder, writer]) client.release(true)
})

test('an index is made while payments are written, and replaces the invalid one of a failed try', async () => {
  // Two rows of one name: a unique index over them fails, and stays behind as invalid.
  migration('4_fourth', 'CREATE UNIQUE INDEX CONCURRENTLY second_name ON second (name);')
  await database.pool.query("INSERT INTO second VALUES ('same'), ('same')")
  await expect(step()).rejects.toThrow('could not create unique index')
  await database.pool.query("DELETE FROM second WHERE name = 'same'")

  const holder = await database.pool.connect()
  await holder.query("BEGIN; INSERT INTO second VALUES ('held')")
  const stepping = step()
  await eventually('the index waits for transactions that began before it', async () => {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%CONCURRENTLY%'",
    )
    return rows.length > 0
  })
  const writer = await database.pool.connect()
  await writer.query("SET lock_timeout = '100ms'; INSERT INTO second VALUES ('written')")
  await holder.query('COMMIT')
  expect(await stepping).toBe('applied 4_fourth\n')
  const { rows } = await database.pool.query(
    "SELECT indisvalid FROM pg_index WHERE indexrelid = 'second_name'::regclass",
  )
  expect(rows).toEqual([{ indisvalid: true }])
  for (const client of [holder, writer]) client.release(true)
})

test('an index is summarized while payments are written, and its settings are not locked meanwhile', async () => {
  migration('5_fifth', 'CREATE INDEX second_brin ON second USING brin (name);')
  expect(await step()).toBe('applied 5_fifth\n')
  migration(
    '6_sixth',
    `-- Once summarized, it finds rows.
    ALTER INDEX second_brin SET (autosummarize = on);
    SELECT brin_summarize_new_values('second_brin');`,
  )
  // A vacuum of the table holds this too, and summarizing waits for it.
  const holder = await database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE second IN SHARE UPDATE EXCLUSIVE MODE')
  const stepping = step()
  await eventually('the migration waits to summarize', async () => {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_locks WHERE NOT granted AND relation = 'second'::regclass",
    )
    return rows.length > 0
  })
  const writer = await database.pool.connect()
  await writer.query("SET lock_timeout = '100ms'; INSERT INTO second VALUES ('meanwhile')")
  await holder.query('COMMIT')
  expect(await stepping).toBe('applied 6_sixth\n')
  const { rows } = await database.pool.query(
    "SELECT reloptions FROM pg_class WHERE oid = 'second_brin'::regclass",
  )
  expect(rows).toEqual([{ reloptions: ['autosummarize=on'] }])
  for (const client of [holder, writer]) client.release(true)
})

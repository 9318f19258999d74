import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
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

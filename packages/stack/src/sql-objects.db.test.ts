import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { applySqlObjects } from './sql-objects'

let database: TestDatabase
let dir: string

beforeAll(async () => {
  database = await cloneDatabase('keys')
  await database.pool.query(`
    DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS migrate CASCADE;
    CREATE TABLE things (name TEXT)`)
})
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-sql-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})
afterAll(() => database.drop())

const greet = (returns: string) =>
  `CREATE OR REPLACE FUNCTION greet(p_name ${returns}) RETURNS ${returns} LANGUAGE sql AS $$ SELECT p_name $$;`
// By its name it comes before what it needs.
const all = `CREATE OR REPLACE VIEW all_things AS SELECT greet(name) AS name FROM things;`
const keep = `CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;`
const kept = `CREATE OR REPLACE TRIGGER kept BEFORE UPDATE ON things EXECUTE FUNCTION keep();`

async function apply(...files: readonly string[]): Promise<void> {
  rmSync(join(dir, 'prisma'), { recursive: true, force: true })
  mkdirSync(join(dir, 'prisma/sql'), { recursive: true })
  for (const [at, sql] of files.entries()) {
    writeFileSync(join(dir, 'prisma/sql', `${String(at)}.sql`), `-- Why it is there.\n${sql}\n`)
  }
  mkdirSync(join(dir, 'prisma/migrations'))
  await applySqlObjects(database.ownerUrl, dir)
}

async function made(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT viewname FROM pg_views WHERE schemaname = 'public'
    UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY name`)
  return rows.map(({ name }) => name)
}

test('makes every object, whatever their order, and takes away what has no file any more', async () => {
  await apply(all, kept, greet('TEXT'), keep)
  expect(await made()).toEqual(['all_things', 'greet(text)', 'keep()', 'kept'])
  await apply(greet('TEXT'))
  expect(await made()).toEqual(['greet(text)'])
})

test('a function of another shape is made anew and leaves no overload', async () => {
  await apply(greet('TEXT'))
  await apply(greet('INTEGER'))
  expect(await made()).toEqual(['greet(integer)'])
  await apply(greet('INTEGER').replace('RETURNS INTEGER', 'RETURNS BIGINT'))
  expect(await made()).toEqual(['greet(integer)'])
})

test('what has not changed is made again after a migration only', async () => {
  await apply(greet('TEXT'))
  await database.pool.query('DROP FUNCTION greet')
  await apply(greet('TEXT'))
  expect(await made()).toEqual([])
  mkdirSync(join(dir, 'prisma/migrations/1_later'))
  writeFileSync(join(dir, 'prisma/migrations/1_later/migration.sql'), 'SELECT 1')
  await applySqlObjects(database.ownerUrl, dir)
  expect(await made()).toEqual(['greet(text)'])
  await apply(keep)
})

test('an object that fails leaves all as it was, and is named', async () => {
  await apply(greet('TEXT'))
  await expect(
    apply(
      keep,
      greet('TEXT').replace('SELECT p_name', 'SELECT upper(p_name)'),
      'CREATE OR REPLACE VIEW broken AS SELEC 1;',
    ),
  ).rejects.toThrow('VIEW broken: syntax error')
  expect(await made()).toEqual(['greet(text)'])
  await expect(apply(all.replace('greet', 'unknown'))).rejects.toThrow('unknown')
  expect(await made()).toEqual(['greet(text)'])
})

test('a file makes one object', async () => {
  await expect(apply(`${keep}\n${kept}`)).rejects.toThrow(
    'makes 2 functions, views and triggers: one a file',
  )
})

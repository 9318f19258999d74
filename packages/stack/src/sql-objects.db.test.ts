import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { againAfterLostLock } from './again-after-lost-lock'
import { applySqlObjects } from './sql-objects'

let database: TestDatabase
let dir: string

beforeAll(async () => {
  database = await cloneDatabase('keys')
})
beforeEach(async () => {
  await database.pool.query(`
    DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS migrate CASCADE;
    CREATE TABLE things (name TEXT)`)
  dir = mkdtempSync(join(tmpdir(), 'malipo-sql-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})
afterAll(() => database.drop())

const greet = (returns: string) =>
  `CREATE OR REPLACE FUNCTION greet(p_name ${returns}) RETURNS ${returns} LANGUAGE sql AS $$ SELECT p_name $$;`
// The name of this view comes before that of the function that it needs.
const all = `CREATE OR REPLACE VIEW all_things AS SELECT greet(name) AS name FROM things;`
const keep = `CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;`
const kept = `CREATE OR REPLACE TRIGGER kept BEFORE UPDATE ON things EXECUTE FUNCTION keep();`

async function apply(...files: readonly string[]): Promise<'applied' | 'ahead'> {
  rmSync(join(dir, 'prisma'), { recursive: true, force: true })
  mkdirSync(join(dir, 'prisma/sql'), { recursive: true })
  for (const [at, sql] of files.entries()) {
    writeFileSync(join(dir, 'prisma/sql', `${String(at)}.sql`), `-- Why it is there.\n${sql}\n`)
  }
  mkdirSync(join(dir, 'prisma/migrations'))
  return applySqlObjects(database.ownerUrl, dir)
}

async function made(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT viewname FROM pg_views WHERE schemaname = 'public'
    UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY name`)
  return rows.map(({ name }) => name)
}

test('creates every object in any order, and drops objects without a file', async () => {
  await apply(all, kept, greet('TEXT'), keep)
  expect(await made()).toEqual(['all_things', 'greet(text)', 'keep()', 'kept'])
  await apply(greet('TEXT'))
  expect(await made()).toEqual(['greet(text)'])
})

test('a function whose signature changed is created anew without an overload', async () => {
  await apply(greet('TEXT'))
  await apply(greet('INTEGER'))
  expect(await made()).toEqual(['greet(integer)'])
  await apply(greet('INTEGER').replace('RETURNS INTEGER', 'RETURNS BIGINT'))
  expect(await made()).toEqual(['greet(integer)'])
})

test('unchanged objects are created again only after a migration', async () => {
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

test('only changed objects are created again', async () => {
  await apply(keep, kept, greet('TEXT'))
  const places = async () => {
    const { rows } = await database.pool.query<{ name: string; row: string }>(`
      SELECT tgname AS name, xmin::text AS row FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT proname, xmin::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)
    return Object.fromEntries(rows.map(({ name, row }) => [name, row]))
  }
  const before = await places()
  await apply(keep.replace('NEW', 'OLD'), kept, greet('TEXT'))
  const after = await places()
  expect(after).toEqual({ ...before, keep: after['keep'] })
  expect(after['keep']).not.toBe(before['keep'])
})

describe('where releases roll', () => {
  const version = (number: number, floor: number) =>
    `CREATE OR REPLACE FUNCTION schema_version() RETURNS TABLE (version INTEGER, floor INTEGER)
     LANGUAGE sql AS $$ SELECT ${String(number)}, ${String(floor)} $$;`
  const own = 'schema_version()'

  test('a function without a file stays for the releases that call it, until the floor is above them', async () => {
    await apply(version(1, 1), greet('TEXT'), all, keep, kept)
    await apply(version(2, 1), keep)
    // A trigger is dropped at once: beside the code that replaces it, it would do the work twice.
    expect(await made()).toEqual(['all_things', 'greet(text)', 'keep()', own])
    await apply(version(3, 1), keep)
    expect(await made()).toEqual(['all_things', 'greet(text)', 'keep()', own])
    await apply(version(4, 2))
    expect(await made()).toEqual(['keep()', own])
    await apply(version(5, 4))
    expect(await made()).toEqual([own])
  })

  test('a function whose file came back stays until the floor is above the last release that has it', async () => {
    await apply(version(1, 1), keep)
    await apply(version(2, 1))
    await apply(version(3, 1), keep)
    await apply(version(4, 3))
    expect(await made()).toEqual(['keep()', own])
    await apply(version(5, 5))
    expect(await made()).toEqual([own])
  })

  test('an earlier release changes no object of a later one', async () => {
    await apply(version(3, 1), greet('TEXT'))
    expect(await apply(version(2, 1), keep)).toBe('ahead')
    expect(await made()).toEqual(['greet(text)', own])
    const { rows } = await database.pool.query('SELECT * FROM schema_version()')
    expect(rows).toEqual([{ version: 3, floor: 1 }])
  })
})

test('an object that fails is named, and all are rolled back', async () => {
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

test('a write waits less than a second behind a trigger that waits for another transaction on its table', async () => {
  await apply(keep)
  const holder = await database.pool.connect()
  await holder.query('BEGIN; INSERT INTO things VALUES (1)')
  const trying = againAfterLostLock(() => apply(keep, kept))
  const writer = await database.pool.connect()
  await writer.query("SET lock_timeout = '1s'")
  // The trigger waits for a lock of the table. A write waits behind it, and goes on when the trigger gives up.
  await eventually('the trigger waits for its table', async () => {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass",
    )
    return rows.length > 0
  })
  await writer.query('INSERT INTO things VALUES (2)')
  await holder.query('COMMIT')
  expect(await trying).toBe('applied')
  expect(await made()).toEqual(['keep()', 'kept'])
  for (const client of [holder, writer]) client.release(true)
})

test('refuses a file that makes two objects', async () => {
  await expect(apply(`${keep}\n${kept}`)).rejects.toThrow(
    'makes 2 functions, views and triggers: one a file',
  )
})

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { type Migration, readMigrations } from './migration-history'

/** A function, view or trigger of a database, as its file under prisma/sql makes it. */
export interface SqlObject {
  readonly kind: 'FUNCTION' | 'VIEW' | 'TRIGGER'
  readonly name: string
  readonly sql: string
}

const definition = /^CREATE OR REPLACE (FUNCTION|VIEW|TRIGGER) (\w+)/gm

/** The objects of a service, or none when it has no prisma/sql. Throws when a file makes no object, or several. */
export function readSqlObjects(serviceDir: string): readonly SqlObject[] {
  const folder = join(serviceDir, 'prisma/sql')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8')
      const made = [...sql.matchAll(definition)]
      const [first] = made
      if (first === undefined || made.length > 1) {
        throw new Error(
          `prisma/sql/${file} makes ${String(made.length)} functions, views and triggers: one a file`,
        )
      }
      return { kind: first[1] as SqlObject['kind'], name: first[2] ?? '', sql }
    })
}

/** Of the objects, and of the migrations: one of those may have dropped a view to change the table under it. */
function digestOf(objects: readonly SqlObject[], migrations: readonly Migration[]): string {
  const hash = createHash('sha256')
  for (const { sql } of objects) hash.update(sql)
  for (const { checksum } of migrations) hash.update(checksum)
  return hash.digest('hex')
}

/**
 * Makes the functions, views and triggers of a migrated database those of prisma/sql, and no others, when they or the
 * migrations have changed. One transaction: a service that runs meanwhile sees all of them change at once.
 */
export async function applySqlObjects(owner: string, serviceDir: string): Promise<void> {
  const objects = readSqlObjects(serviceDir)
  if (objects.length === 0) return
  const client = new Client({ connectionString: owner })
  await client.connect()
  try {
    await client.query('BEGIN')
    // A statement that runs for long must not hold up the service behind this one.
    await client.query("SET LOCAL lock_timeout = '30s'")
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('sql objects', 0))")
    const digest = digestOf(objects, readMigrations(serviceDir))
    if (!(await isApplied(client, digest))) {
      // Bodies may name what is made after them.
      await client.query('SET LOCAL check_function_bodies = off')
      await makeAll(client, objects)
      await dropOthers(client, objects)
      await client.query('INSERT INTO migrate.applied_sql (digest) VALUES ($1)', [digest])
    }
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** The record lies in a schema of its own, which the running role has no rights in. */
async function isApplied(client: Client, digest: string): Promise<boolean> {
  const { rows } = await client.query<{ oid: string | null }>(
    "SELECT to_regclass('migrate.applied_sql') AS oid",
  )
  if (rows[0]?.oid == null) {
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS migrate;
      CREATE TABLE migrate.applied_sql (
        place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        digest TEXT NOT NULL,
        applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
      )`)
    return false
  }
  const latest = await client.query<{ digest: string }>(
    'SELECT digest FROM migrate.applied_sql ORDER BY place DESC LIMIT 1',
  )
  return latest.rows[0]?.digest === digest
}

/** An object that needs another one is made after it: what fails for that reason is tried again when others are made. */
async function makeAll(client: Client, objects: readonly SqlObject[]): Promise<void> {
  const waiting: SqlObject[] = []
  let reason: Error | undefined
  for (const object of objects) {
    const failure = await make(client, object)
    if (failure === undefined) continue
    waiting.push(object)
    reason = failure
  }
  if (waiting.length === 0) return
  if (reason !== undefined && waiting.length === objects.length) throw reason
  await makeAll(client, waiting)
}

/** Undefined table, function, object: it may be made yet. */
const missing: readonly unknown[] = ['42P01', '42883', '42704']
/** Another return type, other parameter names, other columns: it has to be made anew. */
const otherShape: readonly unknown[] = ['42P13', '42P16']

/** Makes one object. Returns the error when it needs another one that is missing. */
async function make(client: Client, object: SqlObject): Promise<Error | undefined> {
  const before = await overloadsOf(client, object)
  await client.query('SAVEPOINT made')
  const failure = await tryQuery(client, object.sql)
  if (failure !== undefined) {
    await client.query('ROLLBACK TO SAVEPOINT made')
    if (missing.includes(failure.code)) return failure
    if (!otherShape.includes(failure.code)) throw failedAt(object, failure)
    await dropOld(client, object, before)
    await client.query(object.sql)
    return undefined
  }
  const after = await overloadsOf(client, object)
  if (after.length > before.length) await dropOld(client, object, before)
  return undefined
}

const failedAt = ({ kind, name }: SqlObject, cause: Error) =>
  new Error(`${kind} ${name}: ${cause.message}`, { cause })

/** What the server says against a statement. */
async function tryQuery(client: Client, sql: string): Promise<DatabaseError | undefined> {
  try {
    await client.query(sql)
    return undefined
  } catch (error) {
    if (error instanceof DatabaseError) return error
    throw error
  }
}

/** The functions of this name, as what DROP names. */
async function overloadsOf(client: Client, { kind, name }: SqlObject): Promise<readonly string[]> {
  if (kind !== 'FUNCTION') return []
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND proname = $1`,
    [name],
  )
  return rows.map(({ signature }) => signature)
}

async function dropOld(
  client: Client,
  { kind, name }: SqlObject,
  signatures: readonly string[],
): Promise<void> {
  const names = kind === 'FUNCTION' ? signatures : [name]
  for (const old of names) await client.query(`DROP ${kind} ${old}`)
}

/** What has no file: a trigger, view or function that was taken out. What a CHECK calls belongs to its table. */
const othersQuery = `
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS statement, 1 AS place FROM pg_trigger t
  JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND NOT 'TRIGGER ' || tgname = ANY ($1)
  UNION ALL
  SELECT format('DROP VIEW %s', oid::regclass), 2 FROM pg_class c
  WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace AND NOT 'VIEW ' || relname = ANY ($1)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
  UNION ALL
  SELECT format('DROP FUNCTION %s', oid::regprocedure), 3 FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace AND NOT 'FUNCTION ' || proname = ANY ($1)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE refclassid = 'pg_proc'::regclass AND refobjid = p.oid AND classid = 'pg_constraint'::regclass)
  ORDER BY place`

async function dropOthers(client: Client, objects: readonly SqlObject[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(othersQuery, [
    objects.map(({ kind, name }) => `${kind} ${name}`),
  ])
  for (const { statement } of rows) await client.query(statement)
}

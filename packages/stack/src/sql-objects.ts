import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { lockTimeoutMs } from './again-after-lost-lock'
import { type Migration, readMigrations } from './migration-history'
import { dropsOf, isOfView, type SchemaVersion } from './sql-drops'

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

/** The digest of the objects and of the migrations, which may have dropped a view to change the table under it. */
function digestOf(objects: readonly SqlObject[], migrations: readonly Migration[]): string {
  const hash = createHash('sha256')
  for (const { sql } of objects) hash.update(sql)
  for (const { checksum } of migrations) hash.update(checksum)
  return hash.digest('hex')
}

/** What the migrate step does in the same transaction, such as giving rights. */
type Beside = (client: Client) => Promise<void>

/**
 * Makes the functions, views and triggers of a migrated database those of prisma/sql, when they or the migrations have
 * changed. Does `beside` in any case, in the same transaction, so that a running service sees all of it at once. CREATE
 * TRIGGER waits for all writers of its table, and new writers wait for it. Therefore only changed objects are made
 * again, and triggers come last, in one round trip with the COMMIT. Returns `ahead`, and changes nothing, when a later
 * release has given the database its version. @throws a lock timeout or deadlock, after which it may be called again.
 */
export async function applySqlObjects(
  owner: string,
  serviceDir: string,
  beside: Beside = () => Promise.resolve(),
): Promise<'applied' | 'ahead'> {
  const objects = readSqlObjects(serviceDir)
  const digest = digestOf(objects, readMigrations(serviceDir))
  const client = new Client({ connectionString: owner })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('sql objects', 0))")
    const script = objects.length === 0 ? '' : await applyAll(client, objects, digest)
    if (script === 'ahead') return 'ahead'
    await beside(client)
    await client.query(`SET LOCAL lock_timeout = ${String(lockTimeoutMs)}`)
    await client.query(`${script}\n;COMMIT`)
    return 'applied'
  } finally {
    await client.end()
  }
}

/** Makes all that locks no table. Returns the statements that lock one, or `ahead`. */
async function applyAll(
  client: Client,
  objects: readonly SqlObject[],
  digest: string,
): Promise<string> {
  const before = await readVersion(client)
  if (await isApplied(client, digest)) return ''
  // The body of a function may name objects that are made after it.
  await client.query('SET LOCAL check_function_bodies = off')
  const own = objects.find(({ name }) => name === 'schema_version')
  if (own !== undefined) await client.query(own.sql)
  const after = await readVersion(client)
  if (before !== undefined && after !== undefined && before.version > after.version) return 'ahead'
  const changed = await changedOf(client, objects)
  await makeAll(
    client,
    changed.filter(({ kind }) => kind !== 'TRIGGER'),
  )
  await noteMade(client, objects)
  const drops = await dropsOf(client, objects.map(nameOf), before && after)
  // Dropping a view locks no table, so views are dropped here, before rights are given; the rest with the COMMIT.
  for (const { statement } of drops.filter(isOfView)) await client.query(statement)
  await client.query('INSERT INTO migrate.applied_sql (digest) VALUES ($1)', [digest])
  const triggers = changed.filter(({ kind }) => kind === 'TRIGGER').map(({ sql }) => sql)
  const others = drops.filter((drop) => !isOfView(drop)).map(({ statement }) => statement)
  return [...triggers, ...others].join('\n;')
}

/** The record has its own schema, in which the running role has no rights. */
async function isApplied(client: Client, digest: string): Promise<boolean> {
  const { rows } = await client.query<{ oid: string | null }>(
    "SELECT to_regclass('migrate.applied_sql') AS oid",
  )
  await client.query('CREATE SCHEMA IF NOT EXISTS migrate')
  await client.query(recordTables)
  if (rows[0]?.oid == null) return false
  const latest = await client.query<{ digest: string }>(
    'SELECT digest FROM migrate.applied_sql ORDER BY place DESC LIMIT 1',
  )
  return latest.rows[0]?.digest === digest
}

const recordTables = `
  CREATE TABLE IF NOT EXISTS migrate.applied_sql (
    place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest TEXT NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS migrate.sql_objects (
    object TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    unneeded_since INTEGER
  )`

const nameOf = ({ kind, name }: SqlObject) => `${kind} ${name}`
const sumOf = ({ sql }: SqlObject) => createHash('sha256').update(sql).digest('hex')

/** The objects whose files differ from what was made, and those that a migration has taken away. */
async function changedOf(
  client: Client,
  objects: readonly SqlObject[],
): Promise<readonly SqlObject[]> {
  const { rows } = await client.query<{ object: string; digest: string }>(
    `SELECT object, digest FROM migrate.sql_objects WHERE object IN (${presentQuery})`,
  )
  const made = new Map(rows.map(({ object, digest }) => [object, digest]))
  return objects.filter((object) => made.get(nameOf(object)) !== sumOf(object))
}

const presentQuery = `
  SELECT 'FUNCTION ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'VIEW ' || viewname FROM pg_views WHERE schemaname = 'public'
  UNION ALL SELECT 'TRIGGER ' || tgname FROM pg_trigger WHERE NOT tgisinternal`

async function noteMade(client: Client, objects: readonly SqlObject[]): Promise<void> {
  await client.query(
    `INSERT INTO migrate.sql_objects (object, digest) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (object) DO UPDATE SET digest = excluded.digest, unneeded_since = NULL`,
    [objects.map(nameOf), objects.map(sumOf)],
  )
}

/** Makes each object after those that it needs: one that fails for lack of another is tried again later. */
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

/** The SQLSTATEs of an undefined table, function or object, which may be made later in this step. */
const missing: readonly unknown[] = ['42P01', '42883', '42704']
/** The SQLSTATEs of another return type, other parameter names or other columns: the object has to be dropped first. */
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

/** Returns the server's error, or undefined. */
async function tryQuery(client: Client, sql: string): Promise<DatabaseError | undefined> {
  try {
    await client.query(sql)
    return undefined
  } catch (error) {
    if (error instanceof DatabaseError) return error
    throw error
  }
}

/** The signatures of the functions of this name, as DROP takes them. */
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

async function readVersion(client: Client): Promise<SchemaVersion | undefined> {
  const { rows: made } = await client.query<{ exists: boolean }>(
    "SELECT to_regprocedure('public.schema_version()') IS NOT NULL AS exists",
  )
  if (made[0]?.exists !== true) return undefined
  const { rows } = await client.query<SchemaVersion>('SELECT version, floor FROM schema_version()')
  return rows[0]
}

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { grantStatements, readGrants, type Relation } from './grants'

/** The two roles of a database, as the URLs that log them in. */
export interface DatabaseUrls {
  /** Owns the tables. The migrate step alone uses it. */
  readonly owner: string
  /** What the service connects as: it may do what its grants.json says, and nothing else. */
  readonly service: string
}

/** `url` with another role: the same server and database. */
export function urlOfRole(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href
}

/**
 * Gives the running role of a migrated database exactly the rights in `serviceDir`/prisma/grants.json, and closes the
 * database to all other roles. Makes the role or sets its password, if the owner may. May be repeated at any time.
 * Within a transaction of the owner's, so that a running service never sees a moment without its rights.
 */
export async function grantService(
  client: Client,
  serviceUrl: string,
  serviceDir: string,
): Promise<void> {
  const { name, password } = readRole(serviceUrl)
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('grants', 0))")
  await provideRole(client, name, password)
  const role = client.escapeIdentifier(name)
  const earlier = await viewsOfEarlier(client)
  const { rows } = await client.query<Omit<Relation, 'isOfEarlier'>>(relationsQuery)
  const relations = rows.map((row) => ({ ...row, isOfEarlier: earlier.includes(row.name) }))
  for (const statement of grantStatements(readGrants(serviceDir), relations, role))
    await client.query(statement)
  await closeDatabase(client, role)
}

function readRole(url: string): { readonly name: string; readonly password: string } {
  const { username, password } = new URL(url)
  if (username === '') throw new Error('The URL of the service names no role: postgresql://ROLE:…')
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** Without the sequences of identity columns: inserting a row is the right to use them. */
const relationsQuery = `
  SELECT relname AS name, relkind = 'S' AS "isSequence" FROM pg_class c
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i')
  ORDER BY relname`

/**
 * The views that an earlier release reads and this one has no file for. Only a service with prisma/sql records them.
 */
async function viewsOfEarlier(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ hasRecord: boolean }>(
    `SELECT to_regclass('migrate.sql_objects') IS NOT NULL AS "hasRecord"`,
  )
  if (rows[0]?.hasRecord !== true) return []
  const kept = await client.query<{ name: string }>(
    `SELECT substr(object, 6) AS name FROM migrate.sql_objects WHERE object LIKE 'VIEW %' AND unneeded_since IS NOT NULL`,
  )
  return kept.rows.map(({ name }) => name)
}

interface KnownRole {
  readonly exists: boolean
  readonly mayChange: boolean
  readonly ownName: string
  readonly ownsDatabase: boolean
  /** Powers that a running role must not have, its own or those of a role that it is a member of. */
  readonly mighty: readonly string[]
}

const knownRoleQuery = `
  SELECT role.oid IS NOT NULL AS exists, me.rolname AS "ownName",
    me.rolsuper OR (me.rolcreaterole AND (role.oid IS NULL OR pg_has_role(me.oid, role.oid, 'MEMBER WITH ADMIN OPTION')))
      AS "mayChange",
    pg_has_role(me.oid, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') AS "ownsDatabase",
    ARRAY(
      SELECT each.rolname || why.text FROM pg_roles each
      CROSS JOIN LATERAL (VALUES
        (' is a superuser', each.rolsuper),
        (' may make roles', each.rolcreaterole),
        (' may make databases', each.rolcreatedb),
        (' may replicate', each.rolreplication),
        (' owns tables or databases', EXISTS (
          SELECT FROM pg_shdepend d
          WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = each.oid AND d.deptype = 'o')),
        (' is a role of PostgreSQL', each.rolname LIKE 'pg\\_%')
      ) why (text, holds)
      WHERE role.oid IS NOT NULL AND why.holds
        AND CASE WHEN role.rolsuper THEN each.oid = role.oid ELSE pg_has_role(role.oid, each.oid, 'MEMBER') END
    ) AS mighty
  FROM pg_roles me LEFT JOIN pg_roles role ON role.rolname = $1
  WHERE me.rolname = current_user`

async function provideRole(client: Client, name: string, password: string): Promise<void> {
  const { rows } = await client.query<KnownRole>(knownRoleQuery, [name])
  const [known] = rows
  if (known === undefined) throw new Error('The owner of the database is unknown to its server')
  const problem = problemOf(known, name, client)
  if (problem !== undefined) throw new Error(problem)
  if (!known.mayChange) return
  const role = client.escapeIdentifier(name)
  const verifier = client.escapeLiteral(scramVerifier(password))
  await client.query(`${known.exists ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${verifier}`)
}

/** Why the role cannot be given its rights, and what to do about it. */
function problemOf(known: KnownRole, name: string, client: Client): string | undefined {
  const { exists, mayChange, mighty, ownName, ownsDatabase } = known
  const own = client.escapeIdentifier(ownName)
  if (!ownsDatabase) {
    const database = client.escapeIdentifier(client.database ?? '')
    return `${ownName} cannot close the database to other roles: ALTER DATABASE ${database} OWNER TO ${own}`
  }
  if (mighty.length > 0)
    return `A service must not connect as ${name}: ${mighty.join(', ')}. Name a role without other rights`
  if (exists || mayChange) return undefined
  return (
    `The role ${name} is missing, and ${ownName} may not make it. Either ALTER ROLE ${own} CREATEROLE, or ` +
    `CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD '…' with the password that the service connects with`
  )
}

/** The password as the server keeps it (RFC 5803), so that no log of statements has the password itself. */
function scramVerifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const keyOf = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const server = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${String(iterations)}:${salt.toString('base64')}$${stored}:${server}`
}

/** Lets only the owner and this role connect to the database, because PostgreSQL lets every role by default. */
async function closeDatabase(client: Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(client.database ?? '')
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM ${role}, PUBLIC`)
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`)
}

/** Throws when the running role cannot log in. */
export async function checkLogin(url: string): Promise<void> {
  const { name } = readRole(url)
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`The role ${name} cannot log in: ${String(error)}`, { cause: error })
  } finally {
    await client.end()
  }
}

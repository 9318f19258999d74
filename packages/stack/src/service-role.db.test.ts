import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { Client } from 'pg'
import { type DatabaseService, repositoryDir } from './migrate'
import { checkLogin, grantService, urlOfRole } from './service-role'

let ledgers: readonly [TestDatabase, TestDatabase]
let keys: TestDatabase
const made: string[] = []

beforeAll(async () => {
  ledgers = [await cloneDatabase('ledger'), await cloneDatabase('ledger')]
  keys = await cloneDatabase('keys')
})
afterAll(async () => {
  const { pool } = ledgers[0]
  for (const database of [keys, ledgers[1]]) await database.drop()
  for (const role of made) await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await ledgers[0].drop()
})

/** A role of this file's own, as the URL that would log it in. */
function roleUrl({ ownerUrl }: TestDatabase, name: string, password = 'first'): string {
  if (!made.includes(name)) made.push(name)
  return urlOfRole(ownerUrl, name, password)
}

/** `logged` gets what the server sends beside its answers, such as its log if the owner asks for that. */
async function grant(
  service: DatabaseService,
  owner: string,
  url: string,
  logged: string[] = [],
): Promise<void> {
  const client = new Client({ connectionString: owner })
  client.on('notice', ({ message = '', detail = '' }) => logged.push(`${message} ${detail}`))
  await client.connect()
  try {
    await client.query('BEGIN')
    await grantService(client, url, join(repositoryDir, 'services', service))
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
  await checkLogin(url)
}

async function ask(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(sql)
    return 'done'
  } catch (error) {
    return String(error)
  } finally {
    await client.end()
  }
}

it.each(['ledger', 'keys', 'auth'] as const)(
  'grants.json of %s has a line for every table, and a table without one stops the migration',
  async (service) => {
    const database = await cloneDatabase(service)
    await grant(service, database.ownerUrl, database.url)
    await database.pool.query('CREATE TABLE forgotten (id text PRIMARY KEY)')
    const again = grant(service, database.ownerUrl, database.url)
    await expect(again).rejects.toThrow('forgotten has no line')
    await database.drop()
  },
)

it('closes each database to the roles of the others: another country, another service', async () => {
  const [ke, ug] = ledgers
  const urls = {
    ke: roleUrl(ke, 'roles_ke'),
    ug: roleUrl(ug, 'roles_ug'),
    keys: roleUrl(keys, 'roles_keys'),
  }
  await grant('ledger', ke.ownerUrl, urls.ke)
  await grant('ledger', ug.ownerUrl, urls.ug)
  await grant('keys', keys.ownerUrl, urls.keys)
  const databases = { ke, ug, keys }
  for (const [role, roleUrl] of Object.entries(urls)) {
    for (const [name, { ownerUrl }] of Object.entries(databases)) {
      const url = Object.assign(new URL(roleUrl), { pathname: new URL(ownerUrl).pathname }).href
      const answer = await ask(url, 'SELECT FROM accounts')
      const expected = role === name ? 'done' : 'permission denied for database'
      expect({ role, name, answer }).toMatchObject({ answer: expect.stringContaining(expected) })
    }
  }
})

it('revokes grants that are not listed, and sets a new password', async () => {
  const [{ ownerUrl, pool }] = ledgers
  const first = roleUrl(ledgers[0], 'roles_again')
  await grant('ledger', ownerUrl, first)
  await pool.query(
    'GRANT UPDATE, DELETE ON transfers TO roles_again; GRANT ALL ON intents TO PUBLIC',
  )
  expect(await ask(first, 'DELETE FROM transfers')).toContain('it is only ever added to')
  const second = roleUrl(ledgers[0], 'roles_again', 'second')
  await grant('ledger', ownerUrl, second)
  expect(await ask(first, 'SELECT')).toContain('password authentication failed')
  expect(await ask(second, 'SELECT FROM transfers')).toBe('done')
  expect(await ask(second, 'DELETE FROM transfers')).toContain('permission denied for table')
  expect(await ask(second, 'DELETE FROM intents')).toContain('permission denied for table')
})

it('leaves the password out of the statements that the server logs, for a new role and again', async () => {
  const owner = new URL(ledgers[0].ownerUrl)
  owner.searchParams.set('options', '-c log_statement=all -c client_min_messages=log')
  const logged: string[] = []
  const url = roleUrl(ledgers[0], 'roles_logged', 'pass-of-the-role')
  await grant('ledger', owner.href, url, logged)
  await grant('ledger', owner.href, url, logged)
  expect(logged.filter((line) => line.includes('pass-of-the-role'))).toEqual([])
  expect(logged.filter((line) => line.includes('PASSWORD'))).toEqual([
    expect.stringMatching(/^statement: CREATE ROLE .* LOGIN PASSWORD 'SCRAM-SHA-256\$4096:/),
    expect.stringMatching(/^statement: ALTER ROLE .* LOGIN PASSWORD 'SCRAM-SHA-256\$4096:/),
  ])
})

describe('refuses', () => {
  it('the owner as the role of the service', async () => {
    const { ownerUrl } = keys
    await expect(grant('keys', ownerUrl, ownerUrl)).rejects.toThrow(
      'A service must not connect as malipo: malipo is a superuser',
    )
  })

  it('a role that inherits rights from another', async () => {
    const url = roleUrl(keys, 'roles_member')
    await keys.pool.query('CREATE ROLE roles_member LOGIN; GRANT pg_write_all_data TO roles_member')
    await expect(grant('keys', keys.ownerUrl, url)).rejects.toThrow(
      'must not connect as roles_member: pg_write_all_data is a role of PostgreSQL',
    )
  })
})

it('works for an owner who is no superuser, and says what to do where the owner may not make the role or close the database', async () => {
  const { pool, ownerUrl } = keys
  const owner = roleUrl(keys, 'roles_owner')
  const service = roleUrl(keys, 'roles_running')
  const database = new URL(ownerUrl).pathname.slice(1)
  await pool.query(`
    CREATE ROLE roles_owner LOGIN PASSWORD 'first'; GRANT CONNECT ON DATABASE ${database} TO roles_owner;
    ALTER TABLE accounts OWNER TO roles_owner; ALTER TABLE keys OWNER TO roles_owner;
    ALTER TABLE _prisma_migrations OWNER TO roles_owner; GRANT CONNECT ON DATABASE ${database} TO PUBLIC`)
  await expect(grant('keys', owner, service)).rejects.toThrow(
    `roles_owner cannot close the database to other roles: ALTER DATABASE "${database}" OWNER TO "roles_owner"`,
  )
  await pool.query(`ALTER DATABASE ${database} OWNER TO roles_owner`)
  await expect(grant('keys', owner, service)).rejects.toThrow(
    'The role roles_running is missing, and roles_owner may not make it. Either ALTER ROLE "roles_owner" CREATEROLE',
  )
  await pool.query("CREATE ROLE roles_running LOGIN PASSWORD 'first'")
  await grant('keys', owner, service)
  expect(await ask(service, 'SELECT FROM keys')).toBe('done')
  expect(await ask(service, 'DELETE FROM keys')).toContain('permission denied for table')
})

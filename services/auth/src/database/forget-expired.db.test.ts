import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'
import { type Database, openDatabase } from './database'
import { forgetExpired } from './forget-expired'

let database: TestDatabase
let auth: RunningAuth
let db: Database
const running = new AbortController().signal

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
  db = openDatabase(database.url)
})

afterAll(async () => {
  await db.$disconnect()
  await auth.stop()
  await database.drop()
})

test('deletes expired rows and keeps those that still count', async () => {
  const { accountId } = await auth.createAccount('mama-mboga')
  await database.pool.query(
    `INSERT INTO sign_in_sessions
       (session_id, account_id, token_digest, created_at, expires_at, address, user_agent)
     SELECT 'ses_' || repeat(n::text, 24), $1, sha256(n::text::bytea), now() - interval '8 days',
       now() + make_interval(secs => n * 60 - 90), '', '' FROM generate_series(1, 2) AS n`,
    [accountId],
  )
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('username:past', 3, now()), ('username:present', 3, now() + interval '1 minute')",
  )
  await database.pool.query(
    `INSERT INTO password_codes (account_id, operator_id, operator, code_digest, expires_at)
     SELECT $1, n::text, n::text, sha256(n::text::bytea), now() + make_interval(secs => n * 60 - 90)
     FROM generate_series(1, 2) AS n`,
    [accountId],
  )
  await forgetExpired(db, running)
  const left = await database.pool.query<{ name: string }>(
    `SELECT session_id AS name FROM sign_in_sessions UNION ALL SELECT subject FROM sign_in_tries
     UNION ALL SELECT operator FROM password_codes`,
  )
  expect(left.rows.map(({ name }) => name)).toEqual([
    `ses_${'2'.repeat(24)}`,
    'username:present',
    '2',
  ])
})

test("deletes merchants' requests older than seven days", async () => {
  await database.pool.query(
    `INSERT INTO merchant_requests (request_id, account_id, method, path, status, code, milliseconds, at)
     SELECT days, 'acc', 'GET', '/', 200, 0, 1, now() - make_interval(days => days) FROM generate_series(5, 9) days`,
  )
  await forgetExpired(db, running)
  const { rows } = await database.pool.query('SELECT request_id FROM merchant_requests ORDER BY 1')
  expect(rows).toEqual([{ request_id: '5' }, { request_id: '6' }])
})

async function addOld(count: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO merchant_requests (request_id, account_id, method, path, status, code, milliseconds, at)
     SELECT 'old-' || n, 'acc', 'GET', '/', 200, 0, 1, now() - interval '8 days' FROM generate_series(1, $1::int) n`,
    [count],
  )
}

async function listOld(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT request_id AS id FROM merchant_requests WHERE at < now() - interval '7 days' LIMIT 3",
  )
  return rows.map(({ id }) => id)
}

test("deletes all of merchants' old requests in one round, however many there are", async () => {
  await addOld(12_000)
  await forgetExpired(db, running)
  expect(await listOld()).toEqual([])
})

test("deletes merchants' old requests while another process is deleting some of them", async () => {
  await addOld(2)
  const other = await database.pool.connect()
  await other.query("BEGIN; DELETE FROM merchant_requests WHERE request_id = 'old-1'")
  const outcome = await forgetExpired(db, running).catch((error: unknown) => error)
  await other.query('ROLLBACK')
  other.release()
  expect([outcome, await listOld()]).toEqual([undefined, ['old-1']])
})

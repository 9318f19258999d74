import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

const signIn = (username: string) =>
  auth.rpc.signIn({ username, password: 'correct horse battery' })

test('lists the live sessions of an account, newest first, and nobody else’s', async () => {
  const { accountId } = await auth.createAccount('mama-mboga')
  await auth.createAccount('other')
  const [first, ended, expired, last] = [
    await signIn('mama-mboga'),
    await signIn('mama-mboga'),
    await signIn('mama-mboga'),
    await signIn('mama-mboga'),
  ]
  await signIn('other')
  await auth.rpc.signOut({ sessionToken: ended.sessionToken })
  await database.pool.query(
    "UPDATE sign_in_sessions SET last_seen_at = now() - interval '13 hours' WHERE session_id = $1",
    [expired.session?.sessionId],
  )
  expect(await auth.rpc.listSignInSessions({ accountId })).toEqual({
    sessions: [last.session, first.session],
  })
})

test('lists 50 at most', async () => {
  const { accountId } = await auth.createAccount('busy')
  await database.pool.query(
    `INSERT INTO sign_in_sessions (session_id, account_id, token_digest, expires_at, address, user_agent)
     SELECT 'ses_' || lpad(n::text, 24, '0'), $1, sha256(n::text::bytea), now() + interval '1 day', '', ''
     FROM generate_series(1, 51) AS n`,
    [accountId],
  )
  expect((await auth.rpc.listSignInSessions({ accountId })).sessions).toHaveLength(50)
})

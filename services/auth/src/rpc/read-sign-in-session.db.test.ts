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

async function openSession(username: string) {
  const account = await auth.createAccount(username)
  const opened = await auth.rpc.signIn({ username, password: 'correct horse battery' })
  return { account, sessionToken: opened.sessionToken, session: opened.session }
}

async function letPass(sessionToken: string, seconds: number): Promise<void> {
  const { session } = await auth.rpc.readSignInSession({ sessionToken })
  await database.pool.query(
    `UPDATE sign_in_sessions SET created_at = created_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2), last_seen_at = last_seen_at - make_interval(secs => $2)
     WHERE session_id = $1`,
    [session?.sessionId, seconds],
  )
}

const signInRequired = { reason: 'sign_in_required' }

test('says whose session a token is of', async () => {
  const { account, sessionToken, session } = await openSession('mama-mboga')
  expect(await auth.rpc.readSignInSession({ sessionToken })).toEqual({ account, session })
})

test.each(['', 'x', 'A'.repeat(43)])('%p is nobody’s token', async (sessionToken) => {
  await expect(auth.rpc.readSignInSession({ sessionToken })).rejects.toMatchObject(signInRequired)
})

test('a session that nobody uses ends after 12 hours', async () => {
  const { sessionToken } = await openSession('idle')
  await letPass(sessionToken, 12 * 3_600 - 30)
  await auth.rpc.readSignInSession({ sessionToken })
  await letPass(sessionToken, 12 * 3_600 + 1)
  await expect(auth.rpc.readSignInSession({ sessionToken })).rejects.toMatchObject(signInRequired)
})

test('a session that is used goes on, and ends after seven days', async () => {
  const { sessionToken } = await openSession('busy')
  for (let half = 0; half < 15; half += 1) await letPass(sessionToken, 11 * 3_600)
  await auth.rpc.readSignInSession({ sessionToken })
  await letPass(sessionToken, 3 * 3_600 + 1)
  await expect(auth.rpc.readSignInSession({ sessionToken })).rejects.toMatchObject(signInRequired)
})

test('that it is used is written once a minute', async () => {
  const { sessionToken } = await openSession('often')
  const lastSeen = async () =>
    (await auth.rpc.readSignInSession({ sessionToken })).session?.lastSeenAt?.getTime() ?? 0
  await letPass(sessionToken, 50)
  expect(await lastSeen()).toBe(await lastSeen())
  await letPass(sessionToken, 15)
  const before = await lastSeen()
  expect((await lastSeen()) - before).toBeGreaterThan(60_000)
})

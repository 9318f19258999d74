import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
let accountId: string

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
  ;({ accountId } = await auth.createAccount('mama-mboga'))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

async function openSession() {
  const credentials = { username: 'mama-mboga', password: 'correct horse battery' }
  const { session, sessionToken } = await auth.rpc.signIn(credentials)
  return { sessionId: session?.sessionId ?? '', sessionToken }
}

async function isLive(sessionToken: string): Promise<boolean> {
  return auth.rpc.readSignInSession({ sessionToken }).then(
    () => true,
    () => false,
  )
}

test('ends a session of the account, and remembers it once', async () => {
  const lost = await openSession()
  const own = await openSession()
  const { sessionId } = lost
  for (let time = 0; time < 2; time += 1) await auth.rpc.endSignInSession({ accountId, sessionId })
  expect([await isLive(lost.sessionToken), await isLive(own.sessionToken)]).toEqual([false, true])
  const { events } = await auth.rpc.listAuditEvents({ accountId })
  expect(events.slice(0, 2).map(({ action }) => action)).toEqual([
    'AUDIT_ACTION_SESSION_ENDED',
    'AUDIT_ACTION_SIGNED_IN',
  ])
})

test('leaves a session of another account alone', async () => {
  const { accountId: otherId } = await auth.createAccount('other')
  const { sessionId, sessionToken } = await openSession()
  expect(await auth.rpc.endSignInSession({ accountId: otherId, sessionId })).toEqual({})
  expect(await isLive(sessionToken)).toBe(true)
})

test('has nothing to end where there is no such session', async () => {
  expect(await auth.rpc.endSignInSession({ accountId, sessionId: 'ses_x' })).toEqual({})
})

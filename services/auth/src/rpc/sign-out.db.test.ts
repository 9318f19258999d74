import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
let accountId: string
const credentials = { username: 'mama-mboga', password: 'correct horse battery' }

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
  ;({ accountId } = await auth.createAccount('mama-mboga'))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

test('ends the session of its token at once, and no other', async () => {
  const { sessionToken } = await auth.rpc.signIn(credentials)
  const other = await auth.rpc.signIn(credentials)
  await auth.rpc.signOut({ sessionToken })
  await expect(auth.rpc.readSignInSession({ sessionToken })).rejects.toMatchObject({
    reason: 'sign_in_required',
  })
  const { session } = await auth.rpc.readSignInSession({ sessionToken: other.sessionToken })
  expect(session).toEqual(other.session)
})

test('changes nothing when repeated, and for a token that is none', async () => {
  const { sessionToken } = await auth.rpc.signIn(credentials)
  for (const token of [sessionToken, sessionToken, 'x', '']) {
    expect(await auth.rpc.signOut({ sessionToken: token })).toEqual({})
  }
  const { events } = await auth.rpc.listAuditEvents({ accountId })
  expect(events.slice(0, 2).map(({ action }) => action)).toEqual([
    'AUDIT_ACTION_SIGNED_OUT',
    'AUDIT_ACTION_SIGNED_IN',
  ])
})

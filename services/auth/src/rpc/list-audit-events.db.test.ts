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

const caller = { address: '203.0.113.7', userAgent: 'Firefox' }

async function listAll(accountId: string) {
  return (await auth.rpc.listAuditEvents({ accountId })).events
}

test('remembers what was done with an account, to what and by whom, newest first', async () => {
  const { accountId } = await auth.createAccount('mama-mboga', { caller })
  const { profile } = await auth.rpc.getProfile({ accountId })
  await auth.rpc.createLink({ requestId: '1', accountId, handle: 'Tips', caller })
  await auth.rpc.closeLink({ accountId, handle: 'tIPS', caller })
  if (profile === undefined) throw new Error('there is no profile')
  await auth.rpc.editProfile({ accountId, displayName: 'Mama', ...profile })
  const done = (action: string, subject: string, by = caller) => ({
    eventId: expect.any(BigInt),
    at: expect.any(Date),
    action: `AUDIT_ACTION_${action}`,
    subject,
    caller: by,
  })
  expect(await listAll(accountId)).toEqual([
    done('PROFILE_EDITED', '', { address: '', userAgent: '' }),
    done('LINK_CLOSED', 'Tips'),
    done('LINK_CREATED', 'Tips'),
    done('ACCOUNT_CREATED', 'mama-mboga'),
  ])
})

test('remembers nothing of what changed nothing', async () => {
  const { accountId } = await auth.createAccount('quiet')
  const link = { requestId: '1', accountId, handle: 'quiet-link' }
  for (const request of [link, link]) await auth.rpc.createLink(request)
  for (const request of [link, link]) await auth.rpc.closeLink(request)
  await auth.createAccount('quiet')
  const refused = { requestId: '2', accountId, handle: 'quiet' }
  await expect(auth.rpc.createLink(refused)).rejects.toMatchObject({ reason: 'handle_taken' })
  expect((await listAll(accountId)).map(({ action }) => action)).toEqual([
    'AUDIT_ACTION_LINK_CLOSED',
    'AUDIT_ACTION_LINK_CREATED',
    'AUDIT_ACTION_ACCOUNT_CREATED',
  ])
})

test('shows 50 at a time, each once, and those of one account', async () => {
  const { accountId } = await auth.createAccount('busy')
  const { accountId: otherId } = await auth.createAccount('other')
  await database.pool.query(
    `INSERT INTO audit_events (account_id, action, subject, address, user_agent)
     SELECT CASE n % 2 WHEN 0 THEN $1 ELSE $2 END, 'profile_edited', n, '', ''
     FROM generate_series(1, 140) AS n`,
    [accountId, otherId],
  )
  const first = await listAll(accountId)
  const beforeEventId = first.at(-1)?.eventId
  const { events: second } = await auth.rpc.listAuditEvents({ accountId, beforeEventId })
  expect([first.length, second.length]).toEqual([50, 21])
  const subjects = [...first, ...second].map(({ subject }) => subject)
  const even = Array.from({ length: 70 }, (_, index) => String(140 - 2 * index))
  expect(subjects).toEqual([...even, 'busy'])
})

test('nobody rewrites it', async () => {
  for (const statement of [
    "UPDATE audit_events SET subject = ''",
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
  ]) {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
  }
})

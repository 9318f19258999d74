import { authOfFile, type SignedInBrowser } from '../start.harness'
import type { AuditEventPage } from '@malipo/interface/hub'

const { auth, database } = authOfFile()

async function list(owner: SignedInBrowser, query = ''): Promise<AuditEventPage> {
  return (await owner.get(`/audit-events${query}`)).body.data
}

test('lists the actions on the account with object and caller, newest first', async () => {
  const owner = await auth.signedIn('mama-mboga')
  await owner.post('/links', { request_id: '1', handle: 'Tips' })
  await owner.post('/links/tIPS/close')
  const done = (action: string, subject: string, by = '203.0.113.1') => ({
    event_id: expect.any(String),
    at: expect.any(String),
    action,
    subject,
    address: by,
    user_agent: by === '' ? '' : 'Firefox',
  })
  expect(await list(owner)).toEqual({
    events: [
      done('link_closed', 'Tips'),
      done('link_created', 'Tips'),
      done('signed_in', ''),
      done('account_created', 'mama-mboga', ''),
    ],
    has_more: false,
  })
})

test('writes no event for a call that changed nothing', async () => {
  const owner = await auth.signedIn('quiet')
  const link = { request_id: '1', handle: 'quiet-link' }
  for (const request of [link, link]) await owner.post('/links', request)
  for (const path of ['a', 'b'].map(() => '/links/quiet-link/close')) await owner.post(path)
  await owner.post('/links', { request_id: '2', handle: 'quiet' })
  expect(await owner.actions()).toEqual([
    'link_closed',
    'link_created',
    'signed_in',
    'account_created',
  ])
})

test('shows 50 events at a time, each once, and no event of another account', async () => {
  const owner = await auth.signedIn('busy')
  const other = await auth.signedIn('other')
  await database.pool.query(
    `INSERT INTO audit_events (account_id, action, subject, address, user_agent)
     SELECT CASE n % 2 WHEN 0 THEN $1 ELSE $2 END, 'profile_edited', n, '', ''
     FROM generate_series(1, 140) AS n`,
    [owner.accountId, other.accountId],
  )
  const first = await list(owner)
  const second = await list(owner, `?before=${first.events.at(-1)?.event_id ?? ''}`)
  expect([first.has_more, second.has_more]).toEqual([true, false])
  const subjects = [...first.events, ...second.events].map(({ subject }) => subject)
  const even = Array.from({ length: 70 }, (_, index) => String(140 - 2 * index))
  expect(subjects).toEqual([...even, '', 'busy'])
})

test.each(['x', '-1', '1e3', ''])('returns 1701 for a page of events before %p', async (before) => {
  const owner = await auth.signedIn(`curious-${before}x`)
  expect((await owner.get(`/audit-events?before=${before}`)).body.code).toBe(1701)
})

test('refuses to change or remove a written event', async () => {
  for (const statement of [
    "UPDATE audit_events SET subject = ''",
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
  ]) {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
  }
})

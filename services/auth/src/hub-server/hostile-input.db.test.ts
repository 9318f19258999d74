import { systemClock } from '@malipo/runtime/clock'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const upstreams = upstreamsOfFile()
const { auth, database } = authOfFile(upstreams)
let owner: SignedInBrowser

beforeAll(async () => {
  owner = await auth.signedIn('hostile', { pin: '9274' })
  // An account without a wallet would not test the fields that an opened one returns.
  const { accountId } = owner
  await upstreams.ledger.openWallet({ accountId })
  await owner.post('/links', { request_id: 'link', handle: 'tips' })
  await auth.browser().signIn('hostile')
})

const long = 'a'.repeat(10_000)

test.each([
  ...['/checkouts?search=%00', '/checkouts?search=a%00b', `/checkouts?search=${long}`],
  ...['/checkouts?from=0000-01-01', '/checkouts?until=9999-12-31', '/checkouts?from=2026-02-30'],
  ...['/checkouts?before=%00', '/checkouts?status=%00', '/checkouts?search=%ff', '/checkouts?x=1'],
  ...['/checkouts.csv?search=%00', '/checkouts.csv?until=9999-12-31', '/checkouts/%00'],
  ...['/wallet/entries?before=%00', '/wallet/entries?before=99999999999999999999999'],
  ...['/requests?request_id=%00', `/requests?request_id=${long}`, '/requests?before=%00'],
  ...['/audit-events?before=99999999999999999999', '/audit-events?before=-1'],
  ...['/audit-events?before=%00', '/audit-events?before=1e3', '/audit-events?before='],
])('answers GET %s with 200, 400 1701 or 404 2783', async (path) => {
  const { status, body } = await owner.get(path)
  expect([
    [200, undefined],
    [400, 1701],
    [404, 2783],
  ]).toContainEqual([status, body.code])
})

/** What a request to end a session or to close a link could change, for every account. */
async function stored(): Promise<object[]> {
  const { rows } = await database.pool.query<object>(`
    SELECT session_id AS of, ended_at AS at, '' AS action FROM sign_in_sessions
    UNION ALL SELECT folded, closed_at, '' FROM links
    UNION ALL SELECT event_id::text, at, action FROM audit_events ORDER BY of`)
  return rows
}

test.each([
  ['/sessions/%00/end', {}],
  [`/sessions/${long}/end`, {}],
  ['/links/%00/close', {}],
  ['/links/%ff/close', {}],
  ['/webhooks/%00/remove', {}],
  ['/webhooks/%00/switch-on', {}],
  ['/webhooks/%00/test', {}],
  ['/webhooks/%00/rotate', { pin: '9274' }],
  ['/webhooks/%00/resend', { since: new Date(systemClock.now()).toISOString() }],
  ['/deliveries/%00/resend', {}],
])('refuses POST %s with 400 or 404, and changes nothing', async (path, body) => {
  const before = await stored()
  const { status } = await owner.post(path, body)
  expect([400, 404]).toContain(status)
  expect(await stored()).toEqual(before)
})

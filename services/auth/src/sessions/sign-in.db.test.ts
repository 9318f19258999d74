import { ownOrigin, password } from '../hub-server/browser.harness'
import { newAddress, tryTimes, tryToSignIn } from '../sign-in.harness'
import { authOfFile } from '../start.harness'
import type { AuditEventPage } from '@malipo/interface/hub'

const { auth, database } = authOfFile()

const signIn = async (username: string, tried: string, address?: string) =>
  tryToSignIn(auth, { username, password: tried, address })

test('opens a session with the right password', async () => {
  await auth.createAccount('mama-mboga')
  const { status, body, headers } = await auth.browser().signIn('MAMA-mboga')
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      description: 'Signed in',
      data: {
        account: {
          username: 'mama-mboga',
          display_name: 'Mama Mboga Fresh',
          home_country: 'KE',
          profile_image_url: null,
        },
        session_id: expect.stringMatching(/^ses_[0-9a-f]{24}$/),
        csrf_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        has_pin: true,
        currency: 'KES',
        amounts: { min: '100', max: '15000000', whole: false },
        payments_url: 'https://pay.example.ke',
      },
    },
  ])
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-malipo=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    ),
    expect.stringMatching(
      /^__Host-malipo-device=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    ),
  ])
})

test('issues a new session token even if the browser sends one', async () => {
  await auth.createAccount('mama-fixed')
  const browser = auth.browser({ address: newAddress() })
  const cookie = `__Host-malipo=${'A'.repeat(43)}`
  const body = JSON.stringify({ username: 'mama-fixed', password })
  const headers = { cookie, origin: ownOrigin, 'content-type': 'application/json' }
  expect((await browser.send('POST', '/sign-in', headers, body)).status).toBe(200)
  expect(browser.cookie()).toMatch(/^__Host-malipo=/)
  expect(browser.cookie()).not.toBe(cookie)
  expect((await browser.send('GET', '/session', { cookie })).body.code).toBe(3005)
})

test("ends the browser's previous session, whichever account signs in", async () => {
  const former = await auth.signedIn('former')
  await auth.createAccount('latter')
  const cookie = former.cookie()
  const body = JSON.stringify({ username: 'latter', password })
  const headers = { cookie, origin: ownOrigin, 'content-type': 'application/json' }
  expect((await former.send('POST', '/sign-in', headers, body)).status).toBe(200)
  expect((await former.get('/session')).body.data.account.username).toBe('latter')
  expect((await former.send('GET', '/session', { cookie })).body.code).toBe(3005)
})

test('stores no session token in any column', async () => {
  await auth.createAccount('tokens')
  const browser = auth.browser()
  const { text } = await browser.signIn('tokens')
  const [sessionToken = '', deviceToken = ''] = browser
    .cookie()
    .split('; ')
    .map((pair) => pair.replace(/^.*=/, ''))
  const { rows } = await database.pool.query<{ row: string }>(
    'SELECT sign_in_sessions::text AS row FROM sign_in_sessions UNION ALL SELECT known_devices::text FROM known_devices UNION ALL SELECT audit_events::text FROM audit_events',
  )
  const stored = rows.map(({ row }) => row).join('\n')
  expect(stored).toContain('ses_')
  expect([sessionToken.length, deviceToken.length]).toEqual([43, 43])
  expect(stored).not.toContain(sessionToken)
  expect(stored).not.toContain(Buffer.from(deviceToken, 'base64url').toString('hex'))
  expect(stored).not.toContain(Buffer.from(sessionToken, 'base64url').toString('hex'))
  // The response body, which scripts can read, does not contain the token either.
  expect(text).not.toContain(sessionToken)
})

test("returns the same refusal for a wrong password, an unknown username and a link's handle", async () => {
  await auth.createAccount('alike')
  await auth.createLink('alike', { handle: 'alike-link' })
  const refusals = await Promise.all([
    signIn('alike', 'wrong horse battery'),
    signIn('unclaimed', password),
    signIn('alike-link', password),
    signIn('alike', ''),
    signIn('', ''),
    signIn('a b', password),
    signIn('x'.repeat(1_000), password),
  ])
  expect(refusals).toEqual(Array(7).fill(3001))
})

test('takes as long for an unknown username as for a known one', async () => {
  await auth.createAccount('slow')
  const times = { slow: [] as number[], unknown: [] as number[] }
  // Alternates between the known and the unknown username, so that load on the machine affects both times.
  for (let round = 0; round < 7; round += 1) {
    for (const username of ['slow', 'unknown'] as const) {
      const begun = performance.now()
      await signIn(username, 'wrong horse battery')
      times[username].push(performance.now() - begun)
    }
  }
  const median = (all: number[]) => all.sort((one, other) => one - other)[3] ?? 0
  expect(median(times.unknown)).toBeGreaterThan(median(times.slow) / 3)
})

test('refuses even the right password after ten tries at a username, in any case', async () => {
  await auth.createAccount('guessed')
  const guesses = await tryTimes(10, (time) => signIn('GUESSED', `guess ${String(time)}`))
  expect(guesses).toEqual(Array(10).fill(3001))
  const { body, headers } = await auth.browser().signIn('guessed')
  expect(body.code).toBe(1804)
  expect(headers.get('retry-after')).toBe(String(body.details.retry_after_seconds))
  expect(body.details.retry_after_seconds).toBeLessThanOrEqual(900)
  expect(body.details.retry_after_seconds).toBeGreaterThan(800)
})

test('counts an unknown username in the same way, so that the limit does not reveal accounts', async () => {
  const guesses = await tryTimes(11, () => signIn('ghost', 'guess'))
  expect(guesses).toEqual([...Array<number>(10).fill(3001), 1804])
})

test('counts 50 parallel guesses as ten tries', async () => {
  await auth.createAccount('rushed')
  const guesses = Array.from({ length: 50 }, (_, guess) => signIn('rushed', String(guess)))
  const codes = await Promise.all(guesses)
  expect(codes.filter((code) => code === 3001)).toHaveLength(10)
  expect(codes.filter((code) => code === 1804)).toHaveLength(40)
})

test('begins a window of tries with the first try, and counts from zero after the window', async () => {
  await auth.createAccount('patient')
  const end = (when: string) =>
    database.pool.query(
      `UPDATE sign_in_tries SET resets_at = ${when} WHERE subject = 'username:patient'`,
    )
  await signIn('patient', 'guess')
  await setTries('username:patient', { from: 1, to: 11 })
  await end("now() + interval '2 minutes'")
  const { body } = await auth.browser().signIn('patient')
  expect(body.details.retry_after_seconds).toBeLessThanOrEqual(120)
  await end('now()')
  expect(await signIn('patient', 'guess')).toBe(3001)
  expect(await signIn('patient', password)).toBe(0)
})

test('resets the count after the right password', async () => {
  await auth.createAccount('clumsy')
  for (let round = 0; round < 3; round += 1) {
    await tryTimes(9, () => signIn('clumsy', 'guess'))
    expect(await signIn('clumsy', password)).toBe(0)
  }
})

test('limits one address to fifty tries over all usernames, tries with the right password included', async () => {
  await auth.createAccount('next-shop')
  for (const username of ['spray-1', 'spray-2']) await signIn(username, 'x', '198.51.100.9')
  await setTries('address:198.51.100.9', { from: 2, to: 49 })
  expect(await signIn('next-shop', password, '198.51.100.9')).toBe(0)
  expect(await signIn('next-shop', password, '198.51.100.9')).toBe(1804)
  expect(await signIn('next-shop', password, '198.51.100.10')).toBe(0)
})

test('counts IPv6 addresses of one network as one address', async () => {
  for (const host of [1, 2]) await signIn('six', 'x', `2001:db8:1:2::${String(host)}`)
  await setTries('address:2001:db8:1:2', { from: 2, to: 50 })
  expect(await signIn('six', 'x', '2001:db8:1:2:ffff::1')).toBe(1804)
  expect(await signIn('six', 'x', '2001:db8:1:3::1')).toBe(3001)
})

test('does not count tries of an address over its limit for any account', async () => {
  await auth.createAccount('bystander')
  await signIn('spray-3', 'x', '198.51.100.11')
  await setTries('address:198.51.100.11', { from: 1, to: 50 })
  const spray = await tryTimes(11, () => signIn('bystander', 'x', '198.51.100.11'))
  expect(spray).toEqual(Array(11).fill(1804))
  const { rows } = await database.pool.query(
    "SELECT 1 FROM sign_in_tries WHERE subject = 'username:bystander'",
  )
  expect(rows).toEqual([])
  expect(await signIn('bystander', password)).toBe(0)
})

/** Sets the counter instead of making the tries. */
async function setTries(subject: string, tries: { from: number; to: number }): Promise<void> {
  const { rowCount } = await database.pool.query(
    'UPDATE sign_in_tries SET tries = $3 WHERE subject = $1 AND tries = $2',
    [subject, tries.from, tries.to],
  )
  expect(rowCount).toBe(1)
}

test('writes sign-ins and refusals to the audit log', async () => {
  await auth.createAccount('watched')
  await signIn('watched', 'wrong horse battery', '203.0.113.8')
  const browser = auth.browser({ address: '203.0.113.9' })
  await browser.signIn('watched')
  const { events } = (await browser.get('/audit-events')).body.data as AuditEventPage
  expect(events.map(({ action, address }) => [action, address])).toEqual([
    ['signed_in', '203.0.113.9'],
    ['sign_in_refused', '203.0.113.8'],
    ['account_created', ''],
  ])
})

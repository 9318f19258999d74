import type { Fault } from '@malipo/kernel/errors'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
const password = 'correct horse battery'

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

/** How a try ended: `in`, or the reason of its refusal. */
async function tryToSignIn(username: string, tried: string, address = ''): Promise<string> {
  const caller = { address, userAgent: '' }
  const refusal = await refusalOf(auth.rpc.signIn({ username, password: tried, caller }))
  return refusal?.reason ?? 'in'
}

async function refusalOf(signingIn: Promise<unknown>): Promise<Fault | undefined> {
  return signingIn.then(
    () => undefined,
    (error: unknown) => error as Fault,
  )
}

async function tryTimes(times: number, one: (time: number) => Promise<string>): Promise<string[]> {
  const answers: string[] = []
  for (let time = 0; time < times; time += 1) answers.push(await one(time))
  return answers
}

test('opens a session for whoever knows the password', async () => {
  const account = await auth.createAccount('mama-mboga')
  const caller = { address: '203.0.113.7', userAgent: 'Firefox' }
  const answer = await auth.rpc.signIn({ username: 'MAMA-mboga', password, caller })
  expect(answer).toEqual({
    sessionToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    account,
    session: {
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{24}$/),
      createdAt: expect.any(Date),
      lastSeenAt: answer.session?.createdAt,
      expiresAt: expect.any(Date),
      caller,
    },
  })
  const { createdAt, expiresAt } = answer.session ?? {}
  expect((expiresAt?.getTime() ?? 0) - (createdAt?.getTime() ?? 0)).toBe(7 * 86_400_000)
})

test('keeps no session token, in any column', async () => {
  await auth.createAccount('tokens')
  const { sessionToken } = await auth.rpc.signIn({ username: 'tokens', password })
  const { rows } = await database.pool.query<{ row: string }>(
    'SELECT sign_in_sessions::text AS row FROM sign_in_sessions UNION ALL SELECT audit_events::text FROM audit_events',
  )
  const stored = rows.map(({ row }) => row).join('\n')
  expect(stored).toContain('ses_')
  expect(stored).not.toContain(sessionToken)
  expect(stored).not.toContain(Buffer.from(sessionToken, 'base64url').toString('hex'))
})

test('refuses a wrong password, an unknown username and a link address alike', async () => {
  const { accountId } = await auth.createAccount('alike')
  await auth.rpc.createLink({ requestId: '1', accountId, handle: 'alike-link' })
  const refusals = await Promise.all([
    tryToSignIn('alike', 'wrong horse battery'),
    tryToSignIn('nobody', password),
    tryToSignIn('alike-link', password),
    tryToSignIn('alike', ''),
    tryToSignIn('', ''),
    tryToSignIn('a\u0000', password),
    tryToSignIn('x'.repeat(1_000), password),
  ])
  expect(refusals).toEqual(Array(7).fill('sign_in_refused'))
})

test('takes as long where there is no account as where there is one', async () => {
  await auth.createAccount('slow')
  const times = { slow: [] as number[], unknown: [] as number[] }
  // Turn and turn about, so that a busy machine is as busy for both.
  for (let round = 0; round < 7; round += 1) {
    for (const username of ['slow', 'unknown'] as const) {
      const begun = performance.now()
      await tryToSignIn(username, 'wrong horse battery')
      times[username].push(performance.now() - begun)
    }
  }
  const median = (all: number[]) => all.sort((one, other) => one - other)[3] ?? 0
  expect(median(times.unknown)).toBeGreaterThan(median(times.slow) / 3)
})

test('after ten tries at a username the right password has to wait too, in any case of its letters', async () => {
  await auth.createAccount('guessed')
  const guesses = await tryTimes(10, (time) => tryToSignIn('GUESSED', `guess ${String(time)}`))
  expect(guesses).toEqual(Array(10).fill('sign_in_refused'))
  const refusal = await refusalOf(auth.rpc.signIn({ username: 'guessed', password }))
  expect(refusal?.reason).toBe('rate_limited')
  const waitSeconds = refusal?.facts['retry_after_seconds']
  expect(waitSeconds).toBeLessThanOrEqual(900)
  expect(waitSeconds).toBeGreaterThan(800)
})

test('counts an unknown username in the same way, so that a limit does not tell who is there', async () => {
  const guesses = await tryTimes(11, () => tryToSignIn('ghost', 'guess'))
  expect(guesses).toEqual([...Array<string>(10).fill('sign_in_refused'), 'rate_limited'])
})

test('50 guesses at once are ten tries', async () => {
  await auth.createAccount('rushed')
  const guesses = Array.from({ length: 50 }, (_, guess) => tryToSignIn('rushed', String(guess)))
  const reasons = await Promise.all(guesses)
  expect(reasons.filter((reason) => reason === 'sign_in_refused')).toHaveLength(10)
  expect(reasons.filter((reason) => reason === 'rate_limited')).toHaveLength(40)
})

test('a window begins with its first try, and over, tries count from the beginning', async () => {
  await auth.createAccount('patient')
  const end = (when: string) =>
    database.pool.query(
      `UPDATE sign_in_tries SET resets_at = ${when} WHERE subject = 'username:patient'`,
    )
  await tryToSignIn('patient', 'guess')
  await setTries('username:patient', { from: 1, to: 11 })
  await end("now() + interval '2 minutes'")
  const refusal = await refusalOf(auth.rpc.signIn({ username: 'patient', password }))
  expect(refusal?.facts['retry_after_seconds']).toBeLessThanOrEqual(120)
  await end('now()')
  expect(await tryToSignIn('patient', 'guess')).toBe('sign_in_refused')
  expect(await tryToSignIn('patient', password)).toBe('in')
})

test('the right password forgets the wrong ones', async () => {
  await auth.createAccount('clumsy')
  for (let round = 0; round < 3; round += 1) {
    await tryTimes(9, () => tryToSignIn('clumsy', 'guess'))
    expect(await tryToSignIn('clumsy', password)).toBe('in')
  }
})

test('one address has fifty tries, at whatever usernames, and its right ones count too', async () => {
  await auth.createAccount('neighbour')
  for (const username of ['spray-1', 'spray-2']) await tryToSignIn(username, 'x', '198.51.100.9')
  await setTries('address:198.51.100.9', { from: 2, to: 49 })
  expect(await tryToSignIn('neighbour', password, '198.51.100.9')).toBe('in')
  expect(await tryToSignIn('neighbour', password, '198.51.100.9')).toBe('rate_limited')
  expect(await tryToSignIn('neighbour', password, '198.51.100.10')).toBe('in')
})

test('IPv6 addresses of one network are one address', async () => {
  for (const host of [1, 2]) await tryToSignIn('six', 'x', `2001:db8:1:2::${String(host)}`)
  await setTries('address:2001:db8:1:2', { from: 2, to: 50 })
  expect(await tryToSignIn('six', 'x', '2001:db8:1:2:ffff::1')).toBe('rate_limited')
  expect(await tryToSignIn('six', 'x', '2001:db8:1:3::1')).toBe('sign_in_refused')
})

/** Spares the test the tries in between. */
async function setTries(subject: string, tries: { from: number; to: number }): Promise<void> {
  const { rowCount } = await database.pool.query(
    'UPDATE sign_in_tries SET tries = $3 WHERE subject = $1 AND tries = $2',
    [subject, tries.from, tries.to],
  )
  expect(rowCount).toBe(1)
}

test('remembers who signed in and who was refused', async () => {
  const { accountId } = await auth.createAccount('watched')
  await tryToSignIn('watched', 'wrong horse battery', '203.0.113.8')
  await tryToSignIn('watched', password, '203.0.113.9')
  const { events } = await auth.rpc.listAuditEvents({ accountId })
  expect(events.map(({ action, caller }) => [action, caller?.address])).toEqual([
    ['AUDIT_ACTION_SIGNED_IN', '203.0.113.9'],
    ['AUDIT_ACTION_SIGN_IN_REFUSED', '203.0.113.8'],
    ['AUDIT_ACTION_ACCOUNT_CREATED', ''],
  ])
})

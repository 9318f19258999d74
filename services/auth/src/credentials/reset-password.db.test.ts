import { eventually } from '@malipo/testing/eventually'
import { ownOrigin, password } from '../hub-server/browser.harness'
import { newAddress, tryTimes } from '../sign-in.harness'
import { countWaiting } from '../start.harness'
import { startTwoOperators, type TwoOperators } from './two-operators.harness'

let started: TwoOperators
let { database, auth, amina, brian } = {} as TwoOperators

beforeAll(async () => {
  started = await startTwoOperators()
  ;({ database, auth, amina, brian } = started)
})
afterAll(() => started.stop())

const better = 'better horse battery'
type Codes = readonly [string, string]

async function codesFor(username: string): Promise<Codes> {
  const { code: first } = await amina.givePasswordCode({ username })
  const { code: second } = await brian.givePasswordCode({ username })
  return [first, second]
}

/** An account without a session, and the codes of both operators. */
async function lost(username: string): Promise<Codes> {
  await auth.createAccount(username)
  return codesFor(username)
}

interface Try {
  readonly to?: string
  readonly address?: string
}

/** The outcome of a try to set a new password: `0`, or the code of its refusal. */
async function tryCodes(
  username: string,
  [first, second]: Codes,
  { to = better, address = newAddress() }: Try = {},
): Promise<number> {
  const { body } = await auth.browser({ address }).post('/lost-password', {
    ...{ username, password: to },
    ...{ first_code: first, second_code: second },
  })
  return body.ok === true ? 0 : body.code
}

async function signInCode(username: string, tried: string): Promise<number> {
  const { body } = await auth.browser({ address: newAddress() }).signIn(username, tried)
  return body.ok === true ? 0 : body.code
}

test('sets a new password with the codes of two operators, ends every session, and keeps the PIN', async () => {
  const owner = await auth.signedIn('mama-mboga', { pin: '9274' })
  const bystander = await auth.signedIn('bystander')
  const [first, second] = await codesFor('mama-mboga')
  expect(await tryCodes('Mama-Mboga', [second.toLowerCase(), first.replaceAll('-', ' ')])).toBe(0)
  expect((await owner.get('/session')).body.code).toBe(3005)
  expect((await bystander.get('/session')).status).toBe(200)
  expect(await signInCode('mama-mboga', password)).toBe(3001)
  expect((await owner.signIn('mama-mboga', better)).status).toBe(200)
  // With the right PIN the request reaches the key service, which is down here.
  expect((await owner.post('/keys', { pin: '9274' })).body.code).toBe(2782)
  const { events } = (await owner.get('/audit-events')).body.data
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'password_reset', subject: 'amina, brian' }),
  )
})

test('refuses codes that were used', async () => {
  const codes = await lost('used-up')
  expect(await tryCodes('used-up', codes)).toBe(0)
  expect(await tryCodes('used-up', codes, { to: 'another horse battery' })).toBe(3001)
  expect(await signInCode('used-up', better)).toBe(0)
})

test.each([
  ['the code of one operator twice', 'a1', ([first]: Codes) => [first, first]],
  ["the other operator's code twice", 'a2', ([, second]: Codes) => [second, second]],
  ['one code and a wrong one', 'a3', ([first]: Codes) => [first, '0000-0000-0000']],
  ['one code and none', 'a4', ([, second]: Codes) => ['', second]],
  ['a code that is a thousand letters', 'a5', ([first]: Codes) => [first, 'x'.repeat(1_000)]],
] as const)('refuses %s, and writes it to the audit log', async (_, username, changed) => {
  const owner = await auth.signedIn(username)
  const [first = '', second = ''] = changed(await codesFor(username))
  expect(await tryCodes(username, [first, second])).toBe(3001)
  expect(await owner.actions()).toContain('password_codes_refused')
  expect(await signInCode(username, password)).toBe(0)
})

test('refuses the code of one operator, who gave two', async () => {
  await auth.createAccount('one-operator')
  const { code: first } = await amina.givePasswordCode({ username: 'one-operator' })
  const { code: second } = await amina.givePasswordCode({ username: 'one-operator' })
  expect(await tryCodes('one-operator', [first, second])).toBe(3001)
  expect(await tryCodes('one-operator', [second, second])).toBe(3001)
})

test('refuses a code that a newer one of the same operator replaced', async () => {
  const [first, second] = await lost('replaced')
  const { code: newer } = await amina.givePasswordCode({ username: 'replaced' })
  expect(await tryCodes('replaced', [first, second])).toBe(3001)
  expect(await tryCodes('replaced', [newer, second])).toBe(0)
})

test.each([
  [59, 0],
  [60, 3001],
])('with a code that is %p minutes old, returns %p', async (minutes, outcome) => {
  const username = `old-${String(minutes)}`
  const codes = await lost(username)
  await database.pool.query(
    `UPDATE password_codes SET expires_at = expires_at - make_interval(mins => $1)
     WHERE operator = 'amina'`,
    [minutes],
  )
  expect(await tryCodes(username, codes)).toBe(outcome)
})

test('takes the right codes after four wrong tries, and refuses them after five', async () => {
  for (const [username, times, outcome] of [
    ['four-wrong', 4, 0],
    ['five-wrong', 5, 3001],
  ] as const) {
    const [first, second] = await lost(username)
    await tryTimes(times, () => tryCodes(username, [first, '0000-0000-0000']))
    expect(await tryCodes(username, [first, second])).toBe(outcome)
  }
})

test('does not take a code that was tried five times together with a newer code of the other operator', async () => {
  const [first, second] = await lost('guessing-operator')
  for (let time = 0; time < 5; time += 1) {
    await tryCodes('guessing-operator', [first, '0000-0000-0000'])
    await amina.givePasswordCode({ username: 'guessing-operator' })
  }
  const { code: newer } = await amina.givePasswordCode({ username: 'guessing-operator' })
  expect(await tryCodes('guessing-operator', [newer, second])).toBe(3001)
})

test('counts fifty guesses at once as five tries', async () => {
  const { accountId } = await auth.createAccount('guessed-at-once')
  const [first, second] = await codesFor('guessed-at-once')
  const guesses = Array.from({ length: 50 }, (_, index) =>
    tryCodes('guessed-at-once', [first, `wrong ${String(index)}`]),
  )
  const outcomes = new Set(await Promise.all(guesses))
  expect([...outcomes].sort()).toEqual([1804, 3001])
  const tries = 'SELECT tries FROM password_codes WHERE account_id = $1'
  expect((await database.pool.query(tries, [accountId])).rows).toEqual([{ tries: 5 }, { tries: 5 }])
  await database.pool.query('DELETE FROM sign_in_tries')
  expect(await tryCodes('guessed-at-once', [first, second])).toBe(3001)
})

/** Locks the credentials of an account: statements that need them wait until the returned function is called. */
async function hold(accountId: string): Promise<() => Promise<void>> {
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM credentials WHERE account_id = $1 FOR UPDATE', [accountId])
  return async () => {
    await holder.query('COMMIT')
    holder.release()
  }
}

test('sets one password when the right codes are sent twice at the same instant', async () => {
  const { accountId } = await auth.createAccount('two-at-once')
  const codes = await codesFor('two-at-once')
  const release = await hold(accountId)
  const words = [better, 'another horse battery']
  const both = words.map((to) => tryCodes('two-at-once', codes, { to }))
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await release()
  const outcomes = await Promise.all(both)
  expect([...outcomes].sort()).toEqual([0, 3001])
  const after = await Promise.all(words.map((word) => signInCode('two-at-once', word)))
  expect(after).toEqual(outcomes)
})

test('refuses a sign-in whose old password was compared before the new one was set', async () => {
  const { accountId } = await auth.createAccount('overtaken')
  const codes = await codesFor('overtaken')
  const release = await hold(accountId)
  const setting = tryCodes('overtaken', codes)
  await eventually('the new password waits', async () => (await countWaiting(database)) === 1)
  const signingIn = signInCode('overtaken', password)
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await release()
  expect([await setting, await signingIn]).toEqual([0, 3001])
})

test('returns the same refusal for wrong codes, no codes, an unknown username and a link', async () => {
  const codes = await lost('alike')
  await auth.createAccount('without-codes')
  await auth.createLink('alike', { handle: 'alike-link' })
  const bodies: object[] = []
  for (const username of ['alike', 'without-codes', 'unclaimed', 'alike-link', 'a b', '']) {
    const tried = username === 'alike' ? ['', ''] : codes
    const sent = { username, password: better, first_code: tried[0], second_code: tried[1] }
    const browser = auth.browser({ address: newAddress() })
    const { body, status } = await browser.post('/lost-password', sent)
    bodies.push({ ...body, request_id: '', status })
  }
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ code: 3001, status: 401 })
})

test('limits tries by username and by address, together with those to sign in', async () => {
  const codes = await lost('limited')
  await tryTimes(6, () => signInCode('limited', 'wrong horse battery'))
  await tryTimes(4, () => tryCodes('limited', ['', '']))
  expect(await tryCodes('limited', codes)).toBe(1804)
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('address:198.51.100.77', 50, now() + interval '15 minutes')",
  )
  expect(await tryCodes('unclaimed', codes, { address: '198.51.100.77' })).toBe(1804)
})

test('lets the owner sign in at once after the new password, although the tries of the username were used up', async () => {
  const codes = await lost('tried-much')
  await tryTimes(9, () => signInCode('tried-much', 'wrong horse battery'))
  expect(await tryCodes('tried-much', codes)).toBe(0)
  expect(await signInCode('tried-much', better)).toBe(0)
})

test('knows no browser after the new password', async () => {
  const owner = await auth.signedIn('many-browsers')
  expect(await tryCodes('many-browsers', await codesFor('many-browsers'))).toBe(0)
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('username:many-browsers', 10, now() + interval '15 minutes')",
  )
  expect((await owner.signIn('many-browsers', better)).body.code).toBe(1804)
})

test.each([
  ['too short', 'short-word', 'too short'],
  ['in public lists', 'weak-list', 'Password123'],
  ['the username', 'same-as-name', 'Same.As.Name'],
  ['the business name', 'weak-name', 'mamamboga fresh'],
])(
  'refuses a new password that is %s at its field, and keeps the codes',
  async (_, username, unfit) => {
    const [first, second] = await lost(username)
    const sent = { username, first_code: first, second_code: second, password: unfit }
    const { body } = await auth.browser({ address: newAddress() }).post('/lost-password', sent)
    expect([body.code, body.errors]).toEqual([
      1701,
      [expect.objectContaining({ path: 'password' })],
    ])
    expect(await tryCodes(username, [first, second])).toBe(0)
  },
)

test('refuses a request from another page', async () => {
  const [first, second] = await lost('foreign')
  const body = { username: 'foreign', first_code: first, second_code: second, password: better }
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const browser = auth.browser({ address: newAddress() })
  const answer = await browser.send('POST', '/lost-password', headers, JSON.stringify(body))
  expect(answer.body.code).toBe(3006)
  const own = { ...headers, origin: ownOrigin }
  expect((await browser.send('POST', '/lost-password', own, JSON.stringify(body))).status).toBe(200)
})

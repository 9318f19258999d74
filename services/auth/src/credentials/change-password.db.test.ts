import { eventually } from '@malipo/testing/eventually'
import { type Browser, password } from '../hub-server/browser.harness'
import { authOfFile, countWaiting } from '../start.harness'

const { auth, database } = authOfFile()

const better = 'better horse battery'

async function change(owner: Browser, from: string, to = better): Promise<number> {
  const { body } = await owner.post('/password', { current_password: from, password: to })
  return body.ok === true ? 0 : body.code
}

test('changes the password with the current one, and ends every other session of the account', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const bystander = await auth.signedIn('bystander')
  const thief = auth.browser()
  await thief.signIn('mama-mboga')
  expect(await change(owner, password)).toBe(0)
  const sessions = [owner, bystander, thief].map(async (one) => (await one.get('/session')).status)
  expect(await Promise.all(sessions)).toEqual([200, 200, 401])
  expect((await auth.browser().signIn('mama-mboga', password)).body.code).toBe(3001)
  expect((await auth.browser().signIn('mama-mboga', better)).status).toBe(200)
  expect(await owner.actions()).toContain('password_changed')
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

test('refuses a sign-in whose old password was compared before a change of the password, and whose session comes after it', async () => {
  const owner = await auth.signedIn('overtaken')
  const thief = auth.browser()
  const release = await hold(owner.accountId)
  const changing = change(owner, password)
  await eventually('the change waits', async () => (await countWaiting(database)) === 1)
  let isAnswered = false
  const signingIn = thief.signIn('overtaken').finally(() => (isAnswered = true))
  // If the sign-in is answered before it waits, the check of its answer below fails.
  await eventually('both wait', async () => isAnswered || (await countWaiting(database)) === 2)
  await release()
  expect([await changing, (await signingIn).body.code]).toEqual([0, 3001])
  expect((await thief.get('/session')).status).toBe(401)
  const known = 'SELECT 1 FROM known_devices WHERE account_id = $1'
  expect((await database.pool.query(known, [owner.accountId])).rowCount).toBe(1)
})

test('makes only one of two password changes that were proven with the same password', async () => {
  const owner = await auth.signedIn('two-people')
  const other = auth.browser()
  await other.signIn('two-people')
  const release = await hold(owner.accountId)
  const both = [change(owner, password), change(other, password, 'another horse battery')]
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await release()
  expect((await Promise.all(both)).sort()).toEqual([0, 3001])
})

test('refuses ten wrong passwords in a session, and then limits only that session', async () => {
  const owner = await auth.signedIn('guessed')
  for (let time = 0; time < 10; time += 1) expect(await change(owner, 'guess')).toBe(3001)
  expect(await change(owner, password)).toBe(1804)
  expect((await auth.browser().signIn('guessed', password)).status).toBe(200)
})

test('lets a live session change the password while unknown browsers are locked out', async () => {
  const owner = await auth.signedIn('besieged')
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('username:besieged', 10, now() + interval '15 minutes')",
  )
  expect((await auth.browser().signIn('besieged', password)).body.code).toBe(1804)
  expect(await change(owner, password)).toBe(0)
})

test('after a change of the password, forgets all known browsers except the one in which it was made', async () => {
  const owner = await auth.signedIn('careful')
  const other = auth.browser()
  await other.signIn('careful')
  await change(owner, password)
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('username:careful', 10, now() + interval '15 minutes')",
  )
  expect((await owner.signIn('careful', better)).status).toBe(200)
  expect((await other.signIn('careful', better)).body.code).toBe(1804)
})

test.each([
  ['in public lists', 'weak-list', 'Password123', 'is in lists of common passwords'],
  ['the username', 'same-as-name', 'Same.As.Name', 'must not be your username'],
  ['only spaces', 'only-spaces', ' '.repeat(10), 'must have at least two different characters'],
  [
    'one character',
    'one-character',
    'zzzzzzzzzzzzzz',
    'must have at least two different characters',
  ],
  ['one character in both cases', 'both-cases', 'zZ zZ zZ zZ', 'must have at least two different'],
  ['the business name', 'weak-name', 'mamamboga fresh', 'must not be your username or your'],
])(
  'refuses a password that is %s, and explains what to do',
  async (_, username, unfit, sentence) => {
    const owner = await auth.signedIn(username)
    const { body } = await owner.post('/password', { current_password: password, password: unfit })
    expect([body.code, body.errors]).toEqual([
      1701,
      [{ path: 'password', message: expect.stringContaining(sentence) }],
    ])
  },
)

test.each(['too short', 'x'.repeat(129)])('refuses %p as a password', async (unfit) => {
  const owner = await auth.signedIn(`unfit-${String(unfit.length)}`)
  expect(await change(owner, password, unfit)).toBe(1701)
})

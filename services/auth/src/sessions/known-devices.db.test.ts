import { ownOrigin, password } from '../hub-server/browser.harness'
import { newAddress, tryTimes, tryToSignIn } from '../sign-in.harness'
import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()

const signIn = async (username: string, tried: string, address?: string) =>
  tryToSignIn(auth, { username, password: tried, address })

const deviceOf = (browser: { cookie: () => string }) => /device=([^;]+)/.exec(browser.cookie())?.[1]

/** An owner with a known browser, signed out. */
async function knownBrowser(username: string) {
  await auth.createAccount(username)
  const browser = auth.browser({ address: newAddress() })
  await browser.signIn(username)
  await browser.post('/sign-out')
  return browser
}

test('lets the owner sign in from a known browser after ten wrong passwords from unknown ones', async () => {
  const owner = await knownBrowser('besieged')
  await tryTimes(10, (time) => signIn('besieged', `guess ${String(time)}`))
  expect(await signIn('besieged', password)).toBe(1804)
  expect((await owner.signIn('besieged')).status).toBe(200)
  // The tries of the unknown browsers stay counted.
  expect(await signIn('besieged', password)).toBe(1804)
})

test('lets a known browser sign in although its address has used up its tries', async () => {
  const owner = await knownBrowser('shared-carrier')
  await database.pool.query(
    "INSERT INTO sign_in_tries VALUES ('address:198.51.100.44', 50, now() + interval '15 minutes')",
  )
  const moved = { cookie: owner.cookie(), 'x-forwarded-for': '198.51.100.44' }
  const headers = { ...moved, origin: ownOrigin, 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'shared-carrier', password })
  expect((await owner.send('POST', '/sign-in', headers, body)).status).toBe(200)
})

test('gives a known browser ten tries of its account that no other browser uses up, and none of other accounts', async () => {
  const owner = await knownBrowser('forgetful')
  const guesses = await tryTimes(11, async (time) => {
    const { body } = await owner.signIn('forgetful', `guess ${String(time)}`)
    return body.code
  })
  expect(guesses).toEqual([...Array<number>(10).fill(3001), 1804])
  // These tries use up none of the tries of unknown browsers.
  expect(await signIn('forgetful', password)).toBe(0)
  await auth.createAccount('not-forgetful')
  await tryTimes(10, () => signIn('not-forgetful', 'guess'))
  expect((await owner.signIn('not-forgetful')).body.code).toBe(1804)
})

test('remembers the last 20 browsers of an account, and gives two accounts of one browser the same token', async () => {
  const first = await knownBrowser('many-browsers')
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT account_id AS id FROM handles WHERE folded = 'many-browsers'",
  )
  const known = 'SELECT 1 FROM known_devices WHERE account_id = $1'
  const id = [rows[0]?.id]
  await database.pool.query(
    "UPDATE known_devices SET used_at = now() - interval '1 hour' WHERE account_id = $1",
    id,
  )
  await database.pool.query(
    `INSERT INTO known_devices SELECT sha256(n::text::bytea), $1, now(), now() - interval '1 minute'
     FROM generate_series(1, 20) n`,
    id,
  )
  const last = auth.browser({ address: newAddress() })
  await last.signIn('many-browsers')
  expect((await database.pool.query(known, id)).rowCount).toBe(20)
  // Two accounts of one browser share its token.
  await auth.createAccount('second-account')
  const before = deviceOf(first)
  await first.signIn('many-browsers')
  const token = deviceOf(first)
  expect(token).not.toBe(before)
  await first.signIn('second-account')
  expect(first.cookie()).toContain(`device=${String(token)}`)
})

import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { password } from '../browser.harness'
import { type RunningAuth, type SignedInBrowser, startAuth } from '../start.harness'

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

const better = 'better horse battery'

async function change(owner: SignedInBrowser, from: string, to = better): Promise<number> {
  const { body } = await owner.post('/password', { current_password: from, password: to })
  return body.ok === true ? 0 : body.code
}

test('changes it for whoever knows it, and ends every other session of the account', async () => {
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

test('refuses whoever does not know it, and counts the try as one to sign in', async () => {
  const owner = await auth.signedIn('guessed')
  for (let time = 0; time < 10; time += 1) expect(await change(owner, 'guess')).toBe(3001)
  expect(await change(owner, password)).toBe(1804)
  await database.pool.query("DELETE FROM sign_in_tries WHERE subject = 'username:guessed'")
  expect((await auth.browser().signIn('guessed', password)).status).toBe(200)
})

test.each(['too short', 'x'.repeat(129)])('refuses %p as a password', async (unfit) => {
  const owner = await auth.signedIn(`unfit-${String(unfit.length)}`)
  expect(await change(owner, password, unfit)).toBe(1701)
})

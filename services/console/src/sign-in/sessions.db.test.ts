import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'

let running: RunningConsole
let asha: TestOperator
/** Further processes of the same console. */
let others: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  await asha.enrol('asha')
})
// Each test begins with a browser that has the key and no cookies.
beforeEach(() => {
  asha = openTestOperator(running.url, asha.privateKey)
})
afterEach(async () => {
  for (const other of others) await other.stop()
  others = []
})
afterAll(() => running.stop())

async function startAnother() {
  const another = await running.startAnother()
  others.push(another)
  return another
}

const statusOf = async (operator: TestOperator) => (await operator.get('/wallets')).status
const signedOut = 303

test('an operator who signed in at one process is signed in at another, also at one that starts later', async () => {
  await asha.signIn()
  const another = await startAnother()
  expect(await statusOf(asha.at(another.url))).toBe(200)
  const restarted = await startAnother()
  expect(await statusOf(asha.at(restarted.url))).toBe(200)
})

test('a sign-in that begins at one process ends at another', async () => {
  const another = await startAnother()
  const page = await asha.get('/sign-in')
  const { body } = await asha.at(another.url).signIn(page)
  expect(body.data).toMatchObject({ is_enrolled: true })
  expect((await asha.signIn(page)).status).toBe(401)
})

test('a sign-out holds at each process', async () => {
  await asha.signIn()
  const another = await startAnother()
  const token = new Map(asha.cookies)
  const headers = { 'x-csrf-token': await asha.csrf() }
  expect((await asha.at(another.url).send('/sign-out', {}, headers)).status).toBe(200)
  for (const [name, pair] of token) asha.cookies.set(name, pair)
  expect(await statusOf(asha)).toBe(signedOut)
})

test('a session ends after half an hour without use, and after eight hours', async () => {
  await asha.signIn()
  for (let minutes = 0; minutes < 480; minutes += 29) {
    expect(await statusOf(asha)).toBe(200)
    await running.ke.letPass(29 * 60)
  }
  expect(await statusOf(asha)).toBe(signedOut)
  await asha.signIn()
  await running.ke.letPass(31 * 60)
  expect(await statusOf(asha)).toBe(signedOut)
})

test('a second sign-in of a browser ends its first session', async () => {
  await asha.signIn()
  const former = new Map(asha.cookies)
  await asha.signIn()
  expect(await statusOf(asha)).toBe(200)
  for (const [name, pair] of former) asha.cookies.set(name, pair)
  expect(await statusOf(asha)).toBe(signedOut)
})

test('the database of a ledger has no token of a session', async () => {
  await asha.signIn()
  const { rows } = await running.ke.database.pool.query('SELECT * FROM console_records')
  const kept = JSON.stringify(rows)
  expect(kept).toContain('session')
  for (const pair of asha.cookies.values()) {
    const token = pair.split('=')[1] ?? ''
    expect(kept).not.toContain(token)
    expect(kept).not.toContain(JSON.stringify(Buffer.from(token)))
  }
})

test('an operator whose session is in a stopped ledger is signed out, and signs in again by the other', async () => {
  await asha.signIn()
  await running.ke.lose()
  expect(await statusOf(asha)).toBe(signedOut)
  await asha.signIn()
  expect(await statusOf(asha)).toBe(200)
})

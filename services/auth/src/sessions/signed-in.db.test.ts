import { holdClock, ownOrigin, password } from '../hub-server/browser.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const { auth } = authOfFile()
let owner: SignedInBrowser

beforeAll(async () => {
  owner = await auth.signedIn('mama-mboga', { pin: undefined })
})

const body = JSON.stringify({ request_id: 'forged', handle: 'forged' })

/** Sends a change with the headers of a hub page, some of which an attack replaces. */
async function change(instead: Readonly<Record<string, string>>) {
  const headers = {
    cookie: owner.cookie(),
    origin: ownOrigin,
    'sec-fetch-site': 'same-origin',
    'x-csrf-token': owner.csrfToken(),
    'content-type': 'application/json',
    ...instead,
  }
  return owner.send('POST', '/links', headers, body)
}

test.each([
  ['no token', { 'x-csrf-token': '' }],
  ['a made-up token', { 'x-csrf-token': 'A'.repeat(43) }],
  ['the page of another site', { origin: 'https://evil.example' }],
  ['a page below our name', { origin: 'https://evil.auth.example' }],
  ['our name without encryption', { origin: 'http://auth.example' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another site, whatever it says its origin is', { 'sec-fetch-site': 'cross-site' }],
  ['a sister host', { 'sec-fetch-site': 'same-site' }],
])('refuses a change from %s with 403 3006, and changes nothing', async (_, instead) => {
  const reply = await change({ ...instead })
  expect([reply.status, reply.body.code]).toEqual([403, 3006])
  expect((await owner.get('/links')).body.data.links).toEqual([])
})

test('refuses a change with the CSRF token of another session of the same owner', async () => {
  const elsewhere = auth.browser()
  await elsewhere.signIn('mama-mboga')
  expect((await change({ 'x-csrf-token': elsewhere.csrfToken() })).body.code).toBe(3006)
})

test('refuses a read with the CSRF token of another session, and shows nothing of the account', async () => {
  const former = await auth.signedIn('former-shop')
  const read = (token: Readonly<Record<string, string>>) =>
    owner.send('GET', '/links', { cookie: owner.cookie(), ...token })
  for (const token of [former.csrfToken(), '']) {
    const { status, body } = await read({ 'x-csrf-token': token })
    expect([status, body.code, body.data]).toEqual([403, 3006, undefined])
  }
  expect((await read({ 'x-csrf-token': owner.csrfToken() })).status).toBe(200)
  expect((await read({})).status).toBe(200)
})

test('refuses a cross-site sign-in and sign-up', async () => {
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  for (const path of ['/sign-in', '/sign-up']) {
    const forged = JSON.stringify({ username: 'mama-mboga', password })
    expect((await auth.browser().send('POST', path, headers, forged)).body.code).toBe(3006)
  }
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
  'takes no sign-in as %s, which a form of any site can send',
  async (type) => {
    const forged = JSON.stringify({ username: 'mama-mboga', password })
    const headers = { 'content-type': type }
    expect((await auth.browser().send('POST', '/sign-in', headers, forged)).body.code).toBe(1701)
  },
)

test('requires a sign-in before it reveals anything', async () => {
  const other = auth.browser()
  expect((await other.post('/links', { nonsense: true })).body.code).toBe(3005)
  expect((await other.get('/checkouts?nonsense=1')).body.code).toBe(3005)
})

test("limits a session with endless requests, and not the owner's next one", async () => {
  const letGo = holdClock()
  const greedy = auth.browser()
  await greedy.signIn('mama-mboga')
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => greedy.get('/session')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  }
  expect((await greedy.get('/session')).body.code).toBe(1804)
  expect((await owner.post('/keys/revoke')).body.code).toBe(2782)
  letGo()
})

test('forbids storing, sniffing and cross-origin reading of every answer', async () => {
  const { headers } = await owner.get('/session')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

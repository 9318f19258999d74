import { eventually } from '@malipo/testing/eventually'
import { password } from '../hub-server/browser.harness'
import { impersonatingHandles, impersonatingNames } from '../handles/rules/names.harness'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type RunningAuth, startAuth } from '../start.harness'

const upstreams = upstreamsOfFile()
const { auth, database } = authOfFile(upstreams)

const form = (username: string, changes: object = {}) => ({
  request_id: `request-${username}`,
  username,
  display_name: 'Mama Mboga Fresh',
  home_country: 'KE',
  password,
  ...changes,
})

const walletOf = async (browser: ReturnType<RunningAuth['browser']>) =>
  (await browser.get('/wallet')).body

test('creates an account with an open wallet, and signs its owner in', async () => {
  const browser = auth.browser()
  const { status, body } = await browser.post('/sign-up', form('mama-mboga'))
  expect([status, body.data]).toEqual([
    201,
    expect.objectContaining({
      account: expect.objectContaining({ username: 'mama-mboga', home_country: 'KE' }),
      has_pin: false,
    }),
  ])
  expect((await walletOf(browser)).data.wallet).toMatchObject({ balance: '0', currency: 'KES' })
  expect(await browser.actions()).toEqual(['signed_in', 'account_created'])
})

test('creates an account in the cell with the fewest accounts, and reads its wallet from the ledger of that cell', async () => {
  const { ke = [], ug = [] } = upstreams.config.ledgerAddresses ?? {}
  const ledgerAddresses = { ke: ['127.0.0.1:1', ...ke], ug }
  const withCells = await startAuth(database, { ...upstreams.config, ledgerAddresses })
  const first = withCells.browser()
  await first.signIn('mama-mboga')
  const newest = withCells.browser()
  await newest.post('/sign-up', form('of-the-new-cell'))
  expect((await walletOf(first)).code).toBe(2752)
  expect((await walletOf(newest)).data.wallet).toMatchObject({ balance: '0' })
  const cellOfHandle = async (handle: string) =>
    (await withCells.rpc.resolveHandle({ handle })).resolved?.account?.cell
  expect([await cellOfHandle('mama-mboga'), await cellOfHandle('of-the-new-cell')]).toEqual([0, 1])
  await withCells.stop()
})

test('finds the account when the request is repeated with the right password', async () => {
  await auth.browser().post('/sign-up', form('twice'))
  const again = auth.browser()
  expect((await again.post('/sign-up', form('twice'))).status).toBe(200)
  expect((await again.get('/session')).body.data.account.username).toBe('twice')
  const thief = auth.browser()
  const stolen = await thief.post('/sign-up', form('twice', { password: 'another password' }))
  expect([stolen.status, stolen.body.code]).toEqual([401, 3001])
  expect((await thief.get('/session')).body.code).toBe(3005)
})

test.each([
  ['username', 'username', 'other-than-that', 'other-username'],
  ['country', 'home_country', 'UG', 'KE'],
  ['name', 'display_name', 'Mama Samaki', 'Mama Mboga Fresh'],
])(
  'refuses a repeated request with another %s, and says what the account has',
  async (name, field, other, first) => {
    await auth.browser().post('/sign-up', form(`other-${name}`))
    const again = auth.browser()
    const changed = form(`other-${name}`, { [field]: other })
    const { status, body, headers } = await again.post('/sign-up', changed)
    const message = expect.stringContaining(first)
    expect([status, body.code, body.errors]).toEqual([400, 1701, [{ path: field, message }]])
    expect(headers.getSetCookie()).toEqual([])
    const guess = { ...changed, password: 'another password' }
    expect((await again.post('/sign-up', guess)).body.code).toBe(3001)
  },
)

test('creates an account while the ledger is down, and opens its wallet once the ledger is back', async () => {
  await upstreams.lose('ledger')
  const browser = auth.browser()
  expect((await browser.post('/sign-up', form('early-bird'))).status).toBe(201)
  expect((await walletOf(browser)).code).toBe(2752)
  await upstreams.bringBack('ledger')
  await eventually('the wallet is open', async () => {
    const { data } = await walletOf(browser)
    return data?.wallet != null
  })
  const { rows } = await database.pool.query(
    'SELECT 1 FROM accounts WHERE wallet_opened_at IS NULL AND home_country = $1',
    ['ke'],
  )
  expect(rows).toEqual([])
})

test('a repeated request finds its account although the ledger of its cell is not configured', async () => {
  await auth.browser().post('/sign-up', form('of-a-cell'))
  await database.pool.query("UPDATE accounts SET cell = 7 WHERE request_id = 'request-of-a-cell'")
  expect((await auth.browser().post('/sign-up', form('of-a-cell'))).status).toBe(200)
})

test.each([
  ['a username that is taken', { username: 'TAKEN', request_id: 'other' }, 3004],
  ['a reserved one', { username: 'support' }, 3004],
  ['one that reads as a Pay Bill number', { username: 'cs.1234.5678' }, 3004],
  ['one that looks like a Pay Bill number', { username: 'cs2ol26o46' }, 3004],
  ['one that looks like the reference of an attempt', { username: 'mn375g6c71qw' }, 3004],
  ['a short password', { password: 'too short' }, 1701],
  ['a country we are not in', { home_country: 'TZ' }, 1701],
  ['a PIN', { pin: '1234' }, 1701],
  ['no request id', { request_id: '' }, 1701],
])('refuses %s', async (_, change, code) => {
  await auth.createAccount('taken')
  const browser = auth.browser({ address: '198.51.100.77' })
  const { body, headers } = await browser.post('/sign-up', form('refused', change))
  expect(body.code).toBe(code)
  expect(headers.getSetCookie()).toEqual([])
})

test.each([
  ['a password of ten spaces', { password: ' '.repeat(10) }, 'password'],
  ['a password of one letter', { password: 'q'.repeat(12) }, 'password'],
  ['a password of public lists', { password: 'qwertyuiop' }, 'password'],
  [
    'a password that is the username',
    { password: 'misled.1234', username: 'misled-1234' },
    'password',
  ],
  ['a password that is the business name', { password: 'mama mboga FRESH' }, 'password'],
  ['the username of a provider', { username: 'MTN-Uganda' }, 'username'],
  ['the username of a bank', { username: 'kcb-bank' }, 'username'],
  ['a username that looks like a provider', { username: 'safar1com.shop' }, 'username'],
  ['the name of a provider', { display_name: 'Safaricom PLC' }, 'display_name'],
  ['a name that looks like a provider', { display_name: 'Safarіcom' }, 'display_name'],
  ['a name of two alphabets', { display_name: 'Mаma Mboga' }, 'display_name'],
])('refuses %s with a message at its field', async (_, change, field) => {
  const browser = auth.browser({ address: '198.51.100.78' })
  const { body } = await browser.post('/sign-up', form('misled', change))
  expect([body.code, body.errors]).toEqual([
    1701,
    [{ path: field, message: expect.stringMatching(/; (choose|use|write) /) }],
  ])
})

test('refuses every name and handle that imitates a provider, and names it', async () => {
  const requests = [
    ...impersonatingNames.map((name) => ({ display_name: name })),
    ...impersonatingHandles.map((username) => ({ username })),
  ]
  const answers = await Promise.all(
    requests.map((change, index) =>
      auth.browser({ address: `198.51.101.${String(index)}` }).post('/sign-up', form('x', change)),
    ),
  )
  const taken = requests.filter((_, index) => {
    const [error] = answers[index]?.body.errors ?? []
    return !/^(reads like \w|mixes letters)/.test(error?.message ?? '')
  })
  expect(taken).toEqual([])
})

test.each(['rnama-cassava', 'mama.cassava', 'MAMACASSAVA', 'm_a_m_a-cassava'])(
  'refuses the username %s, which looks like the taken mama-cassava',
  async (username) => {
    await auth.createAccount('mama-cassava')
    const browser = auth.browser({ address: '198.51.100.79' })
    const { body } = await browser.post('/sign-up', form(username))
    expect(body.code).toBe(3004)
  },
)

test('creates one of two look-alike usernames requested at once', async () => {
  const names = ['t1mely-shop', 'tlmely-shop', 'timely.shop', 'tirnely-shop', 'TimelyShop']
  const answers = await Promise.all(
    names.map((name, index) =>
      auth.browser({ address: `198.51.100.${String(90 + index)}` }).post('/sign-up', form(name)),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
})

test('lets an account whose name is older than the rules about names edit its profile and keep the name', async () => {
  const owner = await auth.signedIn('old-hand')
  await database.pool.query(
    "UPDATE accounts SET display_name = 'Airtel Corner' WHERE account_id = $1",
    [owner.accountId],
  )
  const { data } = (await owner.get('/profile')).body
  const profile = {
    ...{ display_name: 'Airtel Corner', bio: ['New'], theme: data.theme, social_links: [] },
    accepts_payments: true,
  }
  expect((await owner.put('/profile', profile)).status).toBe(200)
  const renamed = { ...profile, display_name: 'Airtel Shop' }
  expect((await owner.put('/profile', renamed)).body.errors).toEqual([
    { path: 'display_name', message: expect.stringContaining('use the name of your own business') },
  ])
})

test('limits an address to 20 new accounts in 15 minutes', async () => {
  const browser = auth.browser({ address: '198.51.100.20' })
  await browser.post('/sign-up', form('farm-1'))
  await database.pool.query(
    "UPDATE sign_in_tries SET tries = 20 WHERE subject = 'sign-up:198.51.100.20'",
  )
  const { status, body } = await browser.post('/sign-up', form('farm-2'))
  expect([status, body.code]).toEqual([429, 1804])
})

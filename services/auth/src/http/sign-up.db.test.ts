import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { password } from '../browser.harness'
import { type Neighbours, startNeighbours } from '../neighbours.harness'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let neighbours: Neighbours
let auth: RunningAuth

beforeAll(async () => {
  database = await cloneDatabase('auth')
  neighbours = await startNeighbours()
  auth = await startAuth(database, neighbours.config)
})

afterAll(async () => {
  await auth.stop()
  await neighbours.stop()
  await database.drop()
})

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

test('makes an account with an open wallet, and signs its owner in', async () => {
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

test('the same request again finds its account, for whoever knows its password', async () => {
  await auth.browser().post('/sign-up', form('twice'))
  const again = auth.browser()
  expect((await again.post('/sign-up', form('twice'))).status).toBe(200)
  expect((await again.get('/session')).body.data.account.username).toBe('twice')
  const thief = auth.browser()
  const stolen = await thief.post('/sign-up', form('twice', { password: 'another password' }))
  expect([stolen.status, stolen.body.code]).toEqual([401, 3001])
  expect((await thief.get('/session')).body.code).toBe(3005)
})

test('opens the wallet later when the ledger is away, once', async () => {
  await neighbours.lose('ledger')
  const browser = auth.browser()
  expect((await browser.post('/sign-up', form('early-bird'))).status).toBe(201)
  expect((await walletOf(browser)).code).toBe(2752)
  await neighbours.bringBack('ledger')
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

test.each([
  ['a username that is taken', { username: 'TAKEN', request_id: 'other' }, 3004],
  ['a reserved one', { username: 'support' }, 3004],
  ['one that reads as a Pay Bill number', { username: 'cs.1234.5678' }, 3004],
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

test('one address makes 20 accounts in 15 minutes', async () => {
  const browser = auth.browser({ address: '198.51.100.20' })
  await browser.post('/sign-up', form('farm-1'))
  await database.pool.query(
    "UPDATE sign_in_tries SET tries = 20 WHERE subject = 'sign-up:198.51.100.20'",
  )
  const { status, body } = await browser.post('/sign-up', form('farm-2'))
  expect([status, body.code]).toEqual([429, 1804])
})

import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

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

test('shows an owner what his account shows of itself', async () => {
  const account = await auth.createAccount('mama-mboga')
  const { profile } = await auth.rpc.getProfile({ accountId: account.accountId })
  expect(profile).toEqual({
    account,
    bio: 'Vegetables from Limuru, every morning.',
    theme: 'sunset',
    socialLinks: [{ platform: 'instagram', url: 'https://instagram.example/mama' }],
    acceptsPayments: true,
  })
})

test('refuses an account that is none', async () => {
  await expect(auth.rpc.getProfile({ accountId: 'acc_x' })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})

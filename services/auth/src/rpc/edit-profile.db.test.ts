import type { EditProfileRequest } from '@malipo/contracts/proto/accounts/v1/account_service'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
let accountId: string
let shops = 0

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
})

beforeEach(async () => {
  ;({ accountId } = await auth.createAccount(`shop-${String((shops += 1))}`))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

const full = {
  displayName: 'Mama Mboga & Daughters',
  bio: 'Fresh.\nEvery morning.',
  theme: 'forest',
  profileImageUrl: 'https://img.example/p.png',
  coverImageUrl: 'https://img.example/c.png',
  socialLinks: [
    { platform: 'x', url: 'https://x.example/mama' },
    { platform: 'tiktok', url: 'https://tiktok.example/mama' },
  ],
  acceptsPayments: false,
}

async function edit(changes: Partial<EditProfileRequest> = {}) {
  return (await auth.rpc.editProfile({ accountId, ...full, ...changes })).profile
}

test('replaces what an account shows of itself, and answers it', async () => {
  const { profileImageUrl, displayName, ...own } = full
  const expected = { ...own, account: expect.objectContaining({ displayName, profileImageUrl }) }
  expect(await edit()).toEqual(expected)
  expect((await auth.rpc.getProfile({ accountId })).profile).toEqual(expected)
})

test('what a request leaves out is gone', async () => {
  await edit()
  const bare = { displayName: 'M', bio: '', theme: 'light', socialLinks: [], acceptsPayments: true }
  const { profile } = await auth.rpc.editProfile({ accountId, ...bare })
  const { displayName, ...own } = bare
  expect(profile).toEqual({ ...own, account: expect.objectContaining({ displayName }) })
  expect(profile?.account?.profileImageUrl).toBeUndefined()
})

test('two edits at once leave the links of one of them', async () => {
  const linksOf = (platform: string) =>
    Array.from({ length: 5 }, () => ({ platform, url: 'https://example.com' }))
  await Promise.all([edit({ socialLinks: linksOf('one') }), edit({ socialLinks: linksOf('two') })])
  const { profile } = await auth.rpc.getProfile({ accountId })
  expect(profile?.socialLinks).toHaveLength(5)
  expect(new Set(profile?.socialLinks.map(({ platform }) => platform)).size).toBe(1)
})

test.each([
  ['no display name', { displayName: '' }],
  ['a display name that turns the reading direction', { displayName: '\u202e' }],
  ['a bio of 281 characters', { bio: 'x'.repeat(281) }],
  ['a theme we do not have', { theme: 'plaid' }],
  ['no theme', { theme: '' }],
  ['a picture that is not https', { profileImageUrl: 'http://img.example' }],
  ['a cover that is a script', { coverImageUrl: 'javascript:alert(1)' }],
  ['a link with a user in it', { socialLinks: [{ platform: 'x', url: 'https://a@b.example' }] }],
  ['an account that is none', { accountId: 'acc_x' }],
])('refuses %s and changes nothing', async (_, change) => {
  const before = await auth.rpc.getProfile({ accountId })
  await expect(edit(change)).rejects.toMatchObject({ reason: 'invalid_request' })
  expect(await auth.rpc.getProfile({ accountId })).toEqual(before)
})

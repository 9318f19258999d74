import { honestNames } from '../handles/rules/names.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const { auth } = authOfFile()
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`shop-${String((shops += 1))}`)
})

const full = {
  display_name: 'Mama Mboga & Daughters',
  bio: ['Fresh.', 'Every morning.'],
  theme: 'forest',
  profile_image_url: 'https://img.example/p.png',
  cover_image_url: 'https://img.example/c.png',
  social_links: [
    { platform: 'x', url: 'https://x.example/mama' },
    { platform: 'tiktok', url: 'https://tiktok.example/mama' },
  ],
  accepts_payments: false,
}

const edit = (changes: object = {}) => owner.put('/profile', { ...full, ...changes })
const read = async () => (await owner.get('/profile')).body.data

test('replaces the public profile, for its owner and for visitors', async () => {
  const { status, body } = await edit()
  const username = `shop-${String(shops)}`
  const own = { handle: username, username, home_country: 'KE' }
  const expected = { ...full, ...own, bio: 'Fresh.\nEvery morning.' }
  expect([status, body.data]).toEqual([200, expected])
  expect(await read()).toEqual(expected)
  const everybody = await fetch(`${auth.url}/v1/auth/public/profile/${username}`)
  expect(await everybody.json()).toMatchObject({ data: expected })
})

test('deletes the fields that a request leaves out', async () => {
  await edit()
  const bare = { display_name: 'M', bio: [], theme: 'light', social_links: [] }
  await owner.put('/profile', { ...bare, accepts_payments: true })
  expect(await read()).toMatchObject({ ...bare, bio: null, profile_image_url: null })
})

test('keeps only the links of one edit when two edits run at once', async () => {
  const linksOf = (platform: string) =>
    Array.from({ length: 5 }, () => ({ platform, url: 'https://example.com' }))
  await Promise.all([
    edit({ social_links: linksOf('one') }),
    edit({ social_links: linksOf('two') }),
  ])
  const links: readonly { platform: string }[] = (await read()).social_links
  expect(links).toHaveLength(5)
  expect(new Set(links.map(({ platform }) => platform)).size).toBe(1)
})

test.each([
  ['no display name', { display_name: '' }],
  ['a display name that turns the reading direction', { display_name: '\u202e' }],
  ['a bio of 281 characters', { bio: ['x'.repeat(281)] }],
  ['a theme we do not have', { theme: 'plaid' }],
  ['no theme', { theme: '' }],
  ['a picture that is not https', { profile_image_url: 'http://img.example' }],
  ['a cover that is a script', { cover_image_url: 'javascript:alert(1)' }],
  ['a link with a user in it', { social_links: [{ platform: 'x', url: 'https://a@b.example' }] }],
  ['another home country', { home_country: 'UG' }],
])('refuses %s and changes nothing', async (_, change) => {
  const before = await read()
  expect((await edit(change)).body.code).toBe(1701)
  expect(await read()).toEqual(before)
})

test('accepts names of honest businesses that are close to known ones', async () => {
  const refused: string[] = []
  for (const name of honestNames) {
    const { status } = await edit({ display_name: name })
    if (status !== 200) refused.push(name)
  }
  expect(refused).toEqual([])
})

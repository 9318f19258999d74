import { openApiDocument } from '@malipo/interface/openapi/document'
import { openDocumented } from '@malipo/interface/openapi/documented.harness'
import { profileSchema } from '@malipo/interface/profile'
import { countries } from '@malipo/kernel/countries'
import { holdClock } from '../hub-server/browser.harness'
import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()

beforeAll(async () => {
  await auth.createAccount('Mama-Mboga')
})

interface Body {
  readonly code?: number
  readonly data: Readonly<Record<string, unknown>>
  readonly errors?: readonly unknown[]
}

const hosts = { baseUrl: 'https://pay.example', authUrl: 'https://auth.example' }
const deviationsOf = openDocumented(openApiDocument({ rules: countries.ke, ...hosts }))

/** Reads a profile, and expects the answer to be as the OpenAPI document describes it. */
async function read(handle: string, from = '198.51.100.1') {
  const path = `/v1/auth/public/profile/${handle}`
  const response = await fetch(auth.url + path, { headers: { 'x-forwarded-for': from } })
  const body = (await response.json()) as Body
  const headers = Object.fromEntries(response.headers)
  const { status } = response
  expect(deviationsOf({ method: 'GET', path, status, headers, body })).toEqual([])
  return { response, body }
}

test('returns 200 with exactly the fields of a profile', async () => {
  const { response, body } = await read('Mama-Mboga')
  expect(response.status).toBe(200)
  expect(body).toEqual({
    ok: true,
    description: 'Profile',
    data: {
      handle: 'Mama-Mboga',
      username: 'Mama-Mboga',
      display_name: 'Mama Mboga Fresh',
      profile_image_url: null,
      bio: 'Vegetables from Limuru, every morning.',
      theme: 'sunset',
      cover_image_url: null,
      social_links: [{ platform: 'instagram', url: 'https://instagram.example/mama' }],
      home_country: 'KE',
      accepts_payments: true,
    },
  })
  expect(profileSchema.parse(body.data)).toEqual(body.data)
})

test('finds a handle in any case', async () => {
  const { body } = await read('mAMA-mBOGA')
  expect(body.data['handle']).toBe('Mama-Mboga')
})

test('returns an empty profile of an account in the other country', async () => {
  const quiet = { homeCountry: 'ug', bio: '', theme: '', socialLinks: [] }
  await auth.createAccount('quiet', quiet)
  const { body } = await read('quiet')
  expect(body.data).toMatchObject({
    bio: null,
    theme: 'light',
    social_links: [],
    home_country: 'UG',
  })
  expect(profileSchema.safeParse(body.data).success).toBe(true)
})

test('returns the owner of a link under the handle of the link', async () => {
  await auth.createAccount('linked')
  await auth.createLink('linked', { handle: 'Pay-Linked' })
  const { body } = await read('pay-linked')
  expect(body.data).toMatchObject({ handle: 'Pay-Linked', username: 'linked' })
})

test('returns pictures, the order of links, and that payments are off', async () => {
  const platforms = ['x', 'tiktok', 'website']
  const socialLinks = platforms.map((platform) => ({
    platform,
    url: `https://${platform}.example/`,
  }))
  const { accountId } = await auth.createAccount('showy', { socialLinks })
  await database.pool.query(
    `UPDATE accounts SET profile_image_url = 'https://img.example/p.png',
       cover_image_url = 'https://img.example/c.png', accepts_payments = false
     WHERE account_id = $1`,
    [accountId],
  )
  const { body } = await read('showy')
  expect(body.data).toMatchObject({
    profile_image_url: 'https://img.example/p.png',
    cover_image_url: 'https://img.example/c.png',
    social_links: socialLinks,
    accepts_payments: false,
  })
})

test('returns 404 2710 for an unknown handle', async () => {
  const { response, body } = await read('unclaimed')
  expect(response.status).toBe(404)
  expect(body).toEqual({
    ok: false,
    code: 2710,
    description: 'No account with this name',
    request_id: response.headers.get('x-request-id'),
  })
})

test.each(['mama%20mboga', 'x'.repeat(65), 'caf%C3%A9', '%00', 'a%2Fb'])(
  'answers 400 1701 for %s, which is no handle',
  async (handle) => {
    const { response, body } = await read(handle)
    expect([response.status, body.code]).toEqual([400, 1701])
    expect(body.errors).toEqual([expect.objectContaining({ path: 'handle' })])
  },
)

test('answers HEAD without a body', async () => {
  const response = await fetch(`${auth.url}/v1/auth/public/profile/mama-mboga`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('limits an address to 120 requests a minute', async () => {
  const letGo = holdClock()
  const ask = async (from: string) => (await read('unclaimed', from)).response.status
  for (let round = 0; round < 12; round += 1) {
    const answers = Array.from({ length: 10 }, () => ask('198.51.100.33'))
    expect(await Promise.all(answers)).toEqual(Array(10).fill(404))
  }
  expect([await ask('198.51.100.33'), await ask('198.51.100.34')]).toEqual([429, 404])
  letGo()
})

import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()

async function countAccounts(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM accounts',
  )
  return rows[0]?.count ?? 0
}

test('creates an account and returns its public fields', async () => {
  const account = await auth.createAccount('mama-mboga')
  expect(account).toEqual({
    accountId: expect.stringMatching(/^acc_[0-9a-f]{24}$/),
    username: 'mama-mboga',
    cell: 0,
    displayName: 'Mama Mboga Fresh',
    homeCountry: 'ke',
  })
})

test.each(['once', 'another', 'admin'])(
  'finds the account when its request is repeated with the username %s',
  async (username) => {
    const made = await auth.createAccount('once')
    const accounts = await countAccounts()
    expect(await auth.createAccount(username, { requestId: 'request-once' })).toEqual(made)
    expect(await countAccounts()).toBe(accounts)
  },
)

test('creates one account from 20 parallel calls with one request id', async () => {
  const accounts = await countAccounts()
  const made = await Promise.all(Array.from({ length: 20 }, () => auth.createAccount('rush')))
  expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(1)
  expect(await countAccounts()).toBe(accounts + 1)
})

test('gives a username to the first account only, in any case', async () => {
  await auth.createAccount('Kahawa')
  const accounts = await countAccounts()
  await expect(auth.createAccount('later', { username: 'kAHAWA' })).rejects.toMatchObject({
    reason: 'handle_taken',
  })
  expect(await countAccounts()).toBe(accounts)
})

test('creates one account from 20 parallel requests for one username', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      auth.createAccount(`racer-${String(index)}`, { username: 'fastest' }),
    ),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const answer of made) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ reason: 'handle_taken' })
  }
})

test.each(['CS12345678', 'cs-1234-5678', 'Admin', 'Sup-port', '..'])(
  'row 58: refuses the username %s',
  async (username) => {
    const accounts = await countAccounts()
    await expect(auth.createAccount('hopeful', { username })).rejects.toMatchObject({
      reason: 'handle_taken',
    })
    expect(await countAccounts()).toBe(accounts)
  },
)

test.each([
  ['no request id', { requestId: '' }],
  ['a username with a space', { username: 'mama mboga' }],
  ['a username of 65 characters', { username: 'x'.repeat(65) }],
  ['no display name', { displayName: '' }],
  ['a display name of spaces', { displayName: '   ' }],
  ['a display name of 65 characters', { displayName: '☕'.repeat(65) }],
  ['a display name that turns the reading direction', { displayName: 'Mama\u202e' }],
  ['a country we are not in', { homeCountry: 'tz' }],
  ['a password of 9 characters', { password: 'x'.repeat(9) }],
  ['a password of 129 characters', { password: 'x'.repeat(129) }],
  ['a PIN of 3 digits', { pin: '123' }],
  ['a PIN of 9 digits', { pin: '123456789' }],
  ['a PIN of letters', { pin: 'abcd' }],
  ['the username of a provider', { username: 'M-Pesa' }],
  ['a common password', { password: 'qwertyuiop' }],
  ['a password of ten spaces', { password: ' '.repeat(10) }],
  ['a common PIN', { pin: '1234' }],
  ['a bio of 281 characters', { bio: 'x'.repeat(281) }],
  ['a theme we do not have', { theme: 'plaid' }],
  ['a link that is not https', { socialLinks: [{ platform: 'x', url: 'http://x.example' }] }],
  ['a platform with capitals', { socialLinks: [{ platform: 'X', url: 'https://x.example' }] }],
  [
    'eleven links',
    {
      socialLinks: Array.from({ length: 11 }, () => ({ platform: 'x', url: 'https://x.example' })),
    },
  ],
])('refuses %s', async (_, change) => {
  await expect(auth.createAccount('refused', change)).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})

test('stores neither the password nor the PIN in any column', async () => {
  const secrets = { password: 'plain to be seen', pin: '90210734' }
  await auth.createAccount('secretive', secrets)
  const { rows } = await database.pool.query<{ row: string }>(`
    SELECT accounts::text AS row FROM accounts UNION ALL SELECT credentials::text FROM credentials
    UNION ALL SELECT handles::text FROM handles UNION ALL SELECT social_links::text FROM social_links`)
  const stored = rows.map(({ row }) => row).join('\n')
  expect(stored).toContain('secretive')
  expect(stored).not.toContain(secrets.password)
  expect(stored).not.toContain(secrets.pin)
})

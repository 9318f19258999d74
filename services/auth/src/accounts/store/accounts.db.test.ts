import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'

let database: TestDatabase
const accountId = `acc_${'0'.repeat(24)}`
const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'

beforeAll(async () => {
  database = await cloneDatabase('auth')
  await database.pool.query(
    `INSERT INTO accounts (account_id, request_id, home_country, display_name)
     VALUES ('${accountId}', 'r', 'ke', 'Mama')`,
  )
})

afterAll(async () => {
  await database.drop()
})

/** Tries to insert a row, and rolls it back. Returns the constraint that refuses the row, or `kept`. */
async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${String(index + 1)}`)
  const client = await database.pool.connect()
  await client.query('BEGIN')
  const answer = await client
    .query(`INSERT INTO ${table} (${names.join()}) VALUES (${places.join()})`, Object.values(row))
    .then(
      () => 'kept',
      (error: unknown) => (error as { constraint: string }).constraint,
    )
  await client.query('ROLLBACK')
  client.release()
  return answer
}

const account = {
  account_id: `acc_${'1'.repeat(24)}`,
  request_id: 'r1',
  home_country: 'ug',
  display_name: 'Coffee',
  bio: '',
  theme: 'dark',
  profile_image_url: null as string | null,
  cover_image_url: 'https://img.example/c.png' as string | null,
}
const handle = {
  folded: 'mama-mboga',
  handle: 'Mama-Mboga',
  account_id: accountId,
  kind: 'username',
}
const credential = {
  account_id: accountId,
  password_hash: passwordHash,
  pin_hash: null as string | null,
}
const socialLink = { account_id: accountId, position: 0, platform: 'x', url: 'https://x.example' }

test.each([
  ['accounts', account],
  ['handles', handle],
  ['credentials', credential],
  ['social_links', socialLink],
])('%s accepts a valid row', async (table, row) => {
  expect(await insert(table, row)).toBe('kept')
})

test.each([
  ['accounts_account_id_shape', { account_id: 'acc_1' }],
  ['accounts_request_id_length', { request_id: '' }],
  ['accounts_request_id_key', { request_id: 'r' }],
  ['accounts_home_country_known', { home_country: 'KE' }],
  ['accounts_display_name_length', { display_name: '' }],
  ['accounts_display_name_length', { display_name: '☕'.repeat(65) }],
  ['accounts_bio_length', { bio: 'x'.repeat(281) }],
  ['accounts_theme_known', { theme: 'plaid' }],
  ['accounts_profile_image_https', { profile_image_url: 'http://img.example' }],
  ['accounts_cover_image_https', { cover_image_url: `https://${'x'.repeat(2_048)}` }],
])('%s refuses %p', async (constraint, change) => {
  expect(await insert('accounts', { ...account, ...change })).toBe(constraint)
})

test.each([
  ['handles_handle_shape', { handle: 'mama mboga', folded: 'mama mboga' }],
  ['handles_folded_is_lower', { folded: 'Mama-Mboga' }],
  ['handles_kind_known', { kind: 'alias' }],
  ['handles_no_pay_bill_number', { handle: 'CS12345678', folded: 'cs12345678' }],
  ['handles_no_pay_bill_number', { handle: 'c.s-1234_5678', folded: 'c.s-1234_5678' }],
  ['handles_account_id_fkey', { account_id: `acc_${'9'.repeat(24)}` }],
])('%s refuses %p', async (constraint, change) => {
  expect(await insert('handles', { ...handle, ...change })).toBe(constraint)
})

test.each([
  ['credentials_are_hashes', { password_hash: 'correct horse battery' }],
  ['credentials_are_hashes', { pin_hash: '9274' }],
  ['credentials_fifth_try_locks', { pin_tries: 5 }],
  ['credentials_fifth_try_locks', { pin_tries: 4, pin_locked_until: 'infinity' }],
  ['credentials_pin_tries_five_at_most', { pin_tries: 6 }],
  ['credentials_pin_locks_counted', { pin_locks: -1 }],
])('%s refuses %p', async (constraint, change) => {
  expect(await insert('credentials', { ...credential, ...change })).toBe(constraint)
})

test.each([
  ['social_links_ten_at_most', { position: 10 }],
  ['social_links_platform_shape', { platform: 'X' }],
  ['social_links_url_https', { url: 'javascript:alert(1)' }],
])('%s refuses %p', async (constraint, change) => {
  expect(await insert('social_links', { ...socialLink, ...change })).toBe(constraint)
})

test('links accept a valid row, and refuse any other', async () => {
  await database.pool.query("INSERT INTO handles VALUES ('tips', 'tips', $1, 'link')", [accountId])
  const link = {
    folded: 'tips',
    account_id: accountId,
    request_id: 'r',
    title: null,
    amount_minor: null,
  }
  expect(await insert('links', link)).toBe('kept')
  expect(await insert('links', { ...link, title: 'x', amount_minor: 100 })).toBe('kept')
  const refusals = {
    links_folded_fkey: { folded: 'unknown' },
    links_request_id_length: { request_id: '' },
    links_title_length: { title: 'x'.repeat(65), amount_minor: 100 },
    links_amount_positive: { title: 'x', amount_minor: 0 },
    links_title_and_amount_or_neither: { title: 'x' },
    links_closed_after_created: { closed_at: '2020-01-01T00:00:00Z' },
  }
  for (const [constraint, change] of Object.entries(refusals)) {
    expect(await insert('links', { ...link, ...change })).toBe(constraint)
  }
})

test('a handle belongs to one account in any case, and an account has one username', async () => {
  const keep = (name: string) =>
    database.pool.query('INSERT INTO handles VALUES ($1, $2, $3, $4)', [
      name.toLowerCase(),
      name,
      accountId,
      'username',
    ])
  await keep('First')
  await expect(keep('FIRST')).rejects.toMatchObject({ constraint: 'handles_pkey' })
  await expect(keep('second')).rejects.toMatchObject({
    constraint: 'handles_one_username_per_account',
  })
})

test('sessions and tries accept a valid row, and refuse any other', async () => {
  const session = {
    session_id: `ses_${'0'.repeat(24)}`,
    account_id: accountId,
    token_digest: Buffer.alloc(32),
    expires_at: '2999-01-01T00:00:00Z',
    address: '',
    user_agent: '',
  }
  expect(await insert('sign_in_sessions', session)).toBe('kept')
  const refusals = {
    sign_in_sessions_session_id_shape: { session_id: 'ses_1' },
    sign_in_sessions_token_digest_length: { token_digest: Buffer.alloc(31) },
    sign_in_sessions_expire: { expires_at: '2020-01-01T00:00:00Z' },
    sign_in_sessions_caller_lengths: { user_agent: 'x'.repeat(257) },
  }
  for (const [constraint, change] of Object.entries(refusals)) {
    expect(await insert('sign_in_sessions', { ...session, ...change })).toBe(constraint)
  }
  const tries = { subject: 'username:mama', tries: 1, resets_at: '2026-11-20T10:00:00Z' }
  expect(await insert('sign_in_tries', tries)).toBe('kept')
  expect(await insert('sign_in_tries', { ...tries, tries: 0 })).toBe('sign_in_tries_counted')
  const long = { ...tries, subject: 'x'.repeat(81) }
  expect(await insert('sign_in_tries', long)).toBe('sign_in_tries_subject_length')
})

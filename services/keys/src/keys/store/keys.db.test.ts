import { randomUUID } from 'node:crypto'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase('keys')
  await database.pool.query("INSERT INTO accounts VALUES ('acc_a', 'ke')")
})

afterAll(async () => {
  await database.drop()
})

const sound = {
  key_id: `key_${'0'.repeat(24)}`,
  account_id: 'acc_a',
  digest: Buffer.alloc(32),
  prefix: 'mkp_test_',
  last_four: 'AB27',
  created_at: '2026-11-20T10:00:00Z',
  last_used_at: null as string | null,
  revoked_at: null as string | null,
  pin_proof: randomUUID(),
}

async function insert(row: typeof sound): Promise<string> {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  const answer = await client
    .query(
      `INSERT INTO keys (${Object.keys(row).join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      Object.values(row),
    )
    .then(
      () => 'kept',
      (error: unknown) => (error as { constraint: string }).constraint,
    )
  await client.query('ROLLBACK')
  client.release()
  return answer
}

test('accepts a valid key', async () => {
  expect(await insert(sound)).toBe('kept')
})

test.each([
  ['keys_digest_length', { digest: Buffer.alloc(31) }],
  ['keys_digest_length', { digest: Buffer.from('mkp_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA') }],
  ['keys_prefix_shape', { prefix: 'mkp_test_AAAA' }],
  ['keys_prefix_shape', { prefix: 'mkp_demo_' }],
  ['keys_last_four_shape', { last_four: 'AB2' }],
  ['keys_last_four_shape', { last_four: 'AB270' }],
  ['keys_key_id_shape', { key_id: 'key_1' }],
  ['keys_account_id_fkey', { account_id: 'acc_unknown' }],
  ['keys_revoked_after_created', { revoked_at: '2026-11-20T09:59:59Z' }],
  ['keys_used_after_created', { last_used_at: '2026-11-20T09:59:59Z' }],
])('%s refuses %p', async (constraint, change) => {
  expect(await insert({ ...sound, ...change })).toBe(constraint)
})

test.each([
  ['accounts_country_known', ['acc_b', 'KE']],
  ['accounts_account_id_length', ['', 'ke']],
  ['accounts_account_id_length', ['a'.repeat(65), 'ke']],
  ['accounts_pkey', ['acc_a', 'ug']],
])('%s refuses the account %p', async (constraint, row) => {
  await expect(
    database.pool.query('INSERT INTO accounts VALUES ($1, $2)', row),
  ).rejects.toMatchObject({ constraint })
})

test('refuses two live keys of one account, and two keys with one digest', async () => {
  const keep = (id: string, digest: number, revokedAt: string | null) =>
    database.pool.query(
      `INSERT INTO keys (key_id, account_id, digest, prefix, last_four, revoked_at, pin_proof)
       VALUES ($1, 'acc_a', $2, 'mkp_test_', 'AAAA', $3, $4)`,
      [`key_${id.repeat(24)}`, Buffer.alloc(32, digest), revokedAt, randomUUID()],
    )
  await keep('1', 1, null)
  await keep('2', 2, 'infinity')
  await expect(keep('3', 3, null)).rejects.toMatchObject({
    constraint: 'keys_one_live_per_account',
  })
  await expect(keep('4', 1, 'infinity')).rejects.toMatchObject({ constraint: 'keys_digest_key' })
  await expect(
    database.pool.query("UPDATE keys SET revoked_at = NULL WHERE account_id = 'acc_a'"),
  ).rejects.toMatchObject({ constraint: 'keys_one_live_per_account' })
})

test('refuses two keys made by one proof of the PIN', async () => {
  const proof = randomUUID()
  const keep = (id: string, digest: number) =>
    database.pool.query(
      `INSERT INTO keys (key_id, account_id, digest, prefix, last_four, revoked_at, pin_proof)
       VALUES ($1, 'acc_a', $2, 'mkp_test_', 'AAAA', 'infinity', $3)`,
      [`key_${id.repeat(24)}`, Buffer.alloc(32, digest), proof],
    )
  await keep('5', 5)
  await expect(keep('6', 6)).rejects.toMatchObject({ constraint: 'keys_pin_proof_key' })
})

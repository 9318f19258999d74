import { digestKey, isPossibleKey } from '@malipo/contracts/key'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { checkSecret, type RunningKeys, startKeys } from '../start.harness'

let database: TestDatabase
let keys: RunningKeys

beforeAll(async () => {
  database = await cloneDatabase('keys')
  keys = await startKeys(database)
})

afterAll(async () => {
  await keys.stop()
  await database.drop()
})

async function liveKeys(accountId: string): Promise<number> {
  const { rowCount } = await database.pool.query(
    'SELECT 1 FROM keys WHERE account_id = $1 AND revoked_at IS NULL',
    [accountId],
  )
  return rowCount ?? 0
}

test('answers with a raw key of the interface and what its owner will recognise it by', async () => {
  const { secretKey, key } = await keys.create('acc_shape')
  expect(isPossibleKey(secretKey, 'test', checkSecret)).toBe(true)
  expect(key).toEqual({
    keyId: expect.stringMatching(/^key_[0-9a-f]{24}$/) as string,
    prefix: 'mkp_test_',
    lastFour: secretKey.slice(-4),
    createdAt: expect.any(Date) as Date,
  })
  expect(await keys.verify(secretKey)).toBe('acc_shape')
})

test('replaces the live key: the old one is refused at once and the new one works', async () => {
  const old = await keys.create('acc_replace')
  const replacement = await keys.create('acc_replace')
  expect(await keys.verify(old.secretKey)).toBeUndefined()
  expect(await keys.verify(replacement.secretKey)).toBe('acc_replace')
  expect(await liveKeys('acc_replace')).toBe(1)
})

test('leaves the keys of other accounts alone', async () => {
  const other = await keys.create('acc_bystander')
  await keys.create('acc_mover')
  await keys.create('acc_mover')
  expect(await keys.verify(other.secretKey)).toBe('acc_bystander')
})

test('50 parallel creates leave exactly one live key, round after round', async () => {
  for (let round = 0; round < 10; round += 1) {
    const accountId = `acc_race_${String(round)}`
    const made = await Promise.all(Array.from({ length: 50 }, () => keys.create(accountId)))
    const answers = await Promise.all(made.map(({ secretKey }) => keys.verify(secretKey)))
    expect(answers.filter((answer) => answer === accountId)).toHaveLength(1)
    expect(await liveKeys(accountId)).toBe(1)
  }
})

test('keeps neither the raw key nor a plain digest of it, in any column', async () => {
  const { secretKey } = await keys.create('acc_secret')
  const dump = await database.pool.query<{ row: string }>(
    'SELECT keys::text AS row FROM keys UNION ALL SELECT accounts::text FROM accounts',
  )
  const stored = dump.rows.map(({ row }) => row).join('\n')
  expect(stored).toContain(secretKey.slice(-4))
  expect(stored).not.toMatch(/mkp_(test|live)_[A-Z2-7]+/)
  expect(stored).not.toContain(secretKey.slice(9, 49))
  expect(stored).not.toContain(digestKey(secretKey).toString('hex'))
})

test('refuses to move an account to another country', async () => {
  const { secretKey } = await keys.create('acc_settled', 'ke')
  await expect(keys.create('acc_settled', 'ug')).rejects.toMatchObject({
    reason: 'invalid_request',
  })
  expect(await keys.verify(secretKey, 'ke')).toBe('acc_settled')
  expect(await liveKeys('acc_settled')).toBe(1)
})

test.each([
  ['without an account', '', 'ke'],
  ['with an account id of 65 characters', 'a'.repeat(65), 'ke'],
  ['for a country we are not in', 'acc_nowhere', 'tz'],
  ['for a country in capitals', 'acc_nowhere', 'KE'],
])('refuses a key %s', async (_, accountId, country) => {
  await expect(keys.create(accountId, country)).rejects.toMatchObject({ reason: 'invalid_request' })
})

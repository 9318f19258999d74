import { randomUUID } from 'node:crypto'
import { digestKey, isPossibleKey } from '@malipo/contracts/key'
import { provenRequest } from '@malipo/contracts/pin-proof.harness'
import { systemClock } from '@malipo/runtime/clock'
import { checkSecret, keysOfFile } from '../start.harness'

const { keys, database } = keysOfFile()

async function liveKeys(accountId: string): Promise<number> {
  const { rowCount } = await database.pool.query(
    'SELECT 1 FROM keys WHERE account_id = $1 AND revoked_at IS NULL',
    [accountId],
  )
  return rowCount ?? 0
}

test("returns the raw key in the interface's format and the parts that its owner recognises", async () => {
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

test('does not change the keys of other accounts', async () => {
  const other = await keys.create('acc_bystander')
  await keys.create('acc_mover')
  await keys.create('acc_mover')
  expect(await keys.verify(other.secretKey)).toBe('acc_bystander')
})

test('leaves exactly one live key after each round of 50 parallel creates', async () => {
  for (let round = 0; round < 10; round += 1) {
    const accountId = `acc_race_${String(round)}`
    const made = await Promise.all(Array.from({ length: 50 }, () => keys.create(accountId)))
    const answers = await Promise.all(made.map(({ secretKey }) => keys.verify(secretKey)))
    expect(answers.filter((answer) => answer === accountId)).toHaveLength(1)
    expect(await liveKeys(accountId)).toBe(1)
  }
})

test('stores neither the raw key nor a plain digest of it in any column', async () => {
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

describe('the proof that the owner entered the PIN', () => {
  const owner = { accountId: 'acc_unproven', country: 'ke' }
  const secondsFromNow = (seconds: number) => new Date(systemClock.now() + seconds * 1_000)
  const proven = provenRequest({ ...owner, provenAt: secondsFromNow(0) })
  const { pinProof } = proven

  test.each([
    ['auth’s certificate alone', { ...owner, pinProof: undefined }],
    ['a proof for another account', { ...proven, accountId: 'acc_another' }],
    ['a proof for the other country', { ...proven, country: 'ug' }],
    ['a proof of 61 seconds ago', provenRequest({ ...owner, provenAt: secondsFromNow(-61) })],
    ['a proof of the future', provenRequest({ ...owner, provenAt: secondsFromNow(900) })],
    [
      'a proof that another key signed',
      provenRequest({ ...owner, provenAt: secondsFromNow(0) }, Buffer.alloc(32, 8)),
    ],
    ['a proof made younger', { ...proven, pinProof: { ...pinProof, provenAt: secondsFromNow(1) } }],
    ['a proof with another nonce', { ...proven, pinProof: { ...pinProof, nonce: randomUUID() } }],
    ['a proof whose nonce is no UUID', { ...proven, pinProof: { ...pinProof, nonce: '' } }],
    ['an empty signature', { ...proven, pinProof: { ...pinProof, signature: Buffer.alloc(0) } }],
  ])('is required: %s is refused and makes no key', async (_, request) => {
    await expect(keys.createBy(request)).rejects.toMatchObject({ reason: 'pin_not_proven' })
    expect(await liveKeys(request.accountId)).toBe(0)
  })

  test('makes one key, is refused the second time, and leaves the first key valid', async () => {
    const request = provenRequest({
      ...owner,
      accountId: 'acc_replayed',
      provenAt: secondsFromNow(0),
    })
    const { secretKey } = await keys.createBy(request)
    await expect(keys.createBy(request)).rejects.toMatchObject({ reason: 'pin_not_proven' })
    expect(await keys.verify(secretKey)).toBe('acc_replayed')
  })

  test('makes one key when it is used 20 times in parallel', async () => {
    const request = provenRequest({
      ...owner,
      accountId: 'acc_replay_race',
      provenAt: secondsFromNow(0),
    })
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => keys.createBy(request)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await liveKeys('acc_replay_race')).toBe(1)
  })

  test('is not needed to revoke a key', async () => {
    await keys.create('acc_revoking')
    expect(await keys.revoke('acc_revoking')).toBe(true)
  })
})

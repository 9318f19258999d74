import { randomBytes } from 'node:crypto'
import { buildKey, digestKey, keyRandomBytes } from '@malipo/contracts/key'
import { provenRequest } from '@malipo/contracts/pin-proof.harness'
import { systemClock } from '@malipo/runtime/clock'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { checkSecret, pepper, type RunningKeys, startKeys } from '../start.harness'

const newerPepper = Buffer.alloc(32, 9)

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

async function lastUsedSecondsAgo(accountId: string): Promise<number | null> {
  const { rows } = await database.pool.query<{ seconds: number | null }>(
    'SELECT extract(epoch FROM now() - last_used_at)::float AS seconds FROM keys WHERE account_id = $1',
    [accountId],
  )
  return rows[0]?.seconds ?? null
}

async function setLastUsed(accountId: string, secondsAgo: number): Promise<void> {
  await database.pool.query(
    `UPDATE keys SET created_at = now() - interval '1 hour', last_used_at = now() - make_interval(secs => $2)
     WHERE account_id = $1`,
    [accountId, secondsAgo],
  )
}

/** Restarts the service, so that the last uses, which it writes in the background, are in the database. */
async function restart(): Promise<void> {
  await keys.stop()
  keys = await startKeys(database)
}

test('returns the account of a live key', async () => {
  const { secretKey } = await keys.create('acc_live')
  expect(await keys.verify(secretKey)).toBe('acc_live')
})

test('returns the cell that the first key of the account named, ignores the cell of later keys, and refuses cell 256', async () => {
  const inCell = async (cell: number) => {
    const proven = { accountId: 'acc_far', country: 'ke', provenAt: new Date(systemClock.now()) }
    const { secretKey } = await keys.createBy({ ...provenRequest(proven), cell })
    const request = { keySha256: digestKey(secretKey), country: 'ke' }
    return keys.verifyAs('gateway-ke', request)
  }
  expect(await inCell(7)).toEqual({ accountId: 'acc_far', cell: 7 })
  expect(await inCell(3)).toEqual({ accountId: 'acc_far', cell: 7 })
  await expect(inCell(256)).rejects.toMatchObject({ reason: 'invalid_request' })
})

test('gives an account cell 0 when the previous release makes its key without a cell', async () => {
  const { rows } = await database.pool.query<{ outcome: string }>(
    `SELECT outcome FROM replace_live_key('acc_before', 'ke', 'key_${'b'.repeat(24)}', '\\x${'1f'.repeat(32)}', 'mkp_test_', 'ABCD',
       gen_random_uuid(), now(), 60)`,
  )
  const { rows: accounts } = await database.pool.query<{ cell: number }>(
    `SELECT cell FROM accounts WHERE account_id = 'acc_before'`,
  )
  expect([rows, accounts]).toEqual([[{ outcome: 'kept' }], [{ cell: 0 }]])
})

test('returns no owner, and no error, for an unknown key', async () => {
  const unknown = buildKey('test', randomBytes(keyRandomBytes), checkSecret)
  expect(await keys.verify(unknown)).toBeUndefined()
})

test('does not find a key of the other country', async () => {
  const { secretKey } = await keys.create('acc_ugandan', 'ug')
  expect(await keys.verify(secretKey, 'ke')).toBeUndefined()
  expect(await keys.verify(secretKey, 'ug')).toBe('acc_ugandan')
})

test("refuses a gateway's request for a key of the other country", async () => {
  const { secretKey } = await keys.create('acc_kenyan_only', 'ke')
  const keySha256 = digestKey(secretKey)
  await expect(keys.verifyAs('gateway-ug', { keySha256, country: 'ke' })).rejects.toMatchObject({
    ...{ reason: 'invalid_request', facts: { field: 'country' } },
  })
  expect(await keys.verifyAs('gateway-ug', { keySha256, country: 'ug' })).toEqual({})
  await restart()
  expect(await lastUsedSecondsAgo('acc_kenyan_only')).toBeNull()
})

test('does not accept a stolen stored digest as a key', async () => {
  await keys.create('acc_stolen')
  const { rows } = await database.pool.query<{ digest: Buffer }>(
    "SELECT digest FROM keys WHERE account_id = 'acc_stolen'",
  )
  expect(await keys.verifyDigest(rows[0]?.digest ?? Buffer.alloc(0))).toBeUndefined()
})

test.each([
  ['31 bytes', Buffer.alloc(31), 'ke'],
  ['33 bytes', Buffer.alloc(33), 'ke'],
  ['nothing', Buffer.alloc(0), 'ke'],
  ['a country we are not in', Buffer.alloc(32), 'tz'],
  ['no country', Buffer.alloc(32), ''],
])('refuses a digest of %s', async (_, digest, country) => {
  await expect(keys.verifyDigest(digest, country)).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})

describe('the time of last use', () => {
  test('is empty before the first use and written after it', async () => {
    const { secretKey } = await keys.create('acc_first_use')
    await restart()
    expect(await lastUsedSecondsAgo('acc_first_use')).toBeNull()
    await keys.verify(secretKey)
    await restart()
    expect(await lastUsedSecondsAgo('acc_first_use')).toBeLessThan(10)
  })

  test('is not written again within a minute', async () => {
    const { secretKey } = await keys.create('acc_busy')
    await setLastUsed('acc_busy', 50)
    await keys.verify(secretKey)
    await restart()
    expect(await lastUsedSecondsAgo('acc_busy')).toBeGreaterThanOrEqual(50)
  })

  test('is written again after a minute', async () => {
    const { secretKey } = await keys.create('acc_back')
    await setLastUsed('acc_back', 61)
    await keys.verify(secretKey)
    await restart()
    expect(await lastUsedSecondsAgo('acc_back')).toBeLessThan(10)
  })

  test('is not changed by a refused key', async () => {
    const { secretKey } = await keys.create('acc_wrong_host')
    await keys.verify(secretKey, 'ug')
    await restart()
    expect(await lastUsedSecondsAgo('acc_wrong_host')).toBeNull()
  })
})

describe('after a change of pepper', () => {
  test('accepts a key of the old pepper, and stores it under the new one when used', async () => {
    const { secretKey } = await keys.create('acc_rotates')
    const rotating = await startKeys(database, { keyPeppers: [newerPepper, pepper] })
    expect(await rotating.verify(secretKey)).toBe('acc_rotates')
    await rotating.stop()

    const rotated = await startKeys(database, { keyPeppers: [newerPepper] })
    expect(await rotated.verify(secretKey)).toBe('acc_rotates')
    await rotated.stop()
    expect(await keys.verify(secretKey)).toBeUndefined()
  })

  test('accepts the same keys on replicas with the peppers in the old and in the new order', async () => {
    const before = await startKeys(database, { keyPeppers: [pepper, newerPepper] })
    const after = await startKeys(database, { keyPeppers: [newerPepper, pepper] })
    const made = [await before.create('acc_made_before'), await after.create('acc_made_after')]
    for (const replica of [before, after]) {
      const known = await Promise.all(made.map(({ secretKey }) => replica.verify(secretKey)))
      expect(known).toEqual(['acc_made_before', 'acc_made_after'])
    }
    await before.stop()
    await after.stop()
  })

  test('stores a key under the new pepper even if it was used a moment before', async () => {
    const { secretKey } = await keys.create('acc_rotates_busy')
    await setLastUsed('acc_rotates_busy', 1)
    const rotating = await startKeys(database, { keyPeppers: [newerPepper, pepper] })
    await rotating.verify(secretKey)
    await rotating.stop()
    const rotated = await startKeys(database, { keyPeppers: [newerPepper] })
    expect(await rotated.verify(secretKey)).toBe('acc_rotates_busy')
    await rotated.stop()
  })

  test('stores a new key under the new pepper', async () => {
    const rotating = await startKeys(database, { keyPeppers: [newerPepper, pepper] })
    const { secretKey } = await rotating.create('acc_new_pepper')
    await rotating.stop()
    expect(await keys.verify(secretKey)).toBeUndefined()
  })

  test('keeps a revoked key of the old pepper revoked', async () => {
    const { secretKey } = await keys.create('acc_rotates_revoked')
    await keys.revoke('acc_rotates_revoked')
    const rotating = await startKeys(database, { keyPeppers: [newerPepper, pepper] })
    expect(await rotating.verify(secretKey)).toBeUndefined()
    await rotating.stop()
  })
})

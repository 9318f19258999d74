import { eventually } from '@malipo/testing/eventually'
import { keysOfFile } from '../start.harness'

const { keys, database } = keysOfFile()

test('revokes the live key at once', async () => {
  const { secretKey } = await keys.create('acc_ends')
  expect(await keys.revoke('acc_ends')).toBe(true)
  expect(await keys.verify(secretKey)).toBeUndefined()
})

test('changes nothing when repeated', async () => {
  await keys.create('acc_twice')
  await keys.revoke('acc_twice')
  const revokedOnce = await keys.list('acc_twice')
  expect(await keys.revoke('acc_twice')).toBe(false)
  expect(await keys.list('acc_twice')).toEqual(revokedOnce)
})

test('reports no live key for an account that never had one', async () => {
  expect(await keys.revoke('acc_never')).toBe(false)
})

test('does not change the keys of other accounts', async () => {
  const other = await keys.create('acc_bystander')
  await keys.create('acc_revoker')
  await keys.revoke('acc_revoker')
  expect(await keys.verify(other.secretKey)).toBe('acc_bystander')
})

test('allows a new key afterwards, and keeps the revoked one revoked', async () => {
  const old = await keys.create('acc_again')
  await keys.revoke('acc_again')
  const made = await keys.create('acc_again')
  expect(await keys.verify(made.secretKey)).toBe('acc_again')
  expect(await keys.verify(old.secretKey)).toBeUndefined()
})

test('waits for a concurrent replacement, and revokes the new key', async () => {
  await keys.create('acc_beside')
  const replacing = await database.pool.connect()
  await replacing.query(`
    BEGIN;
    SELECT 1 FROM accounts WHERE account_id = 'acc_beside' FOR UPDATE;
    UPDATE keys SET revoked_at = clock_timestamp() WHERE account_id = 'acc_beside';
    INSERT INTO keys (key_id, account_id, digest, prefix, last_four, pin_proof)
    VALUES ('key_${'0'.repeat(24)}', 'acc_beside', '\\x${'00'.repeat(32)}', 'mkp_test_', 'AAAA', gen_random_uuid())`)
  const revoking = keys.revoke('acc_beside')
  await eventually('the revocation waits', isALockAwaited)
  await replacing.query('COMMIT')
  replacing.release()
  expect(await revoking).toBe(true)
  expect((await keys.list('acc_beside')).map(({ revokedAt }) => revokedAt)).toEqual([
    expect.any(Date),
    expect.any(Date),
  ])
})

async function isALockAwaited(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rowCount === 1
}

test('refuses a request without an account', async () => {
  await expect(keys.revoke('')).rejects.toMatchObject({ reason: 'invalid_request' })
})

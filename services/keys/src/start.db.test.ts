import { digestKey } from '@malipo/contracts/key'
import { openImpatient } from '@malipo/runtime/waits.harness'
import { testIdentityDir } from '@malipo/testing/identities'
import { eventually } from '@malipo/testing/eventually'
import { keysOfFile, startKeys } from './start.harness'

const { keys, database } = keysOfFile()

test('reports live and ready, and measures the time of its methods', async () => {
  await keys.verifyDigest(Buffer.alloc(32))
  expect(await (await fetch(`${keys.adminUrl}/livez`)).text()).toBe('live\n')
  expect(await (await fetch(`${keys.adminUrl}/readyz`)).text()).toBe('ready\n')
  expect(await (await fetch(`${keys.adminUrl}/metrics`)).text()).toContain(
    'malipo_rpc_seconds_count{method="verifyKey",outcome="ok"}',
  )
})

test('refuses a connection from a caller whose certificate another authority signed', async () => {
  const other = await startKeys(database, { tlsDir: testIdentityDir('keys', 'another') })
  await expect(other.verifyDigest(Buffer.alloc(32))).rejects.toMatchObject({
    reason: 'keys_unavailable',
  })
  await other.stop()
})

test('makes keys of the mode it runs in', async () => {
  const live = await startKeys(database, { keyMode: 'live' })
  const { secretKey, key } = await live.create('acc_live_mode')
  expect(secretKey).toMatch(/^mkp_live_[A-Z2-7]{52}$/)
  expect(key?.prefix).toBe('mkp_live_')
  await live.stop()
})

describe('while its database is down', () => {
  test.each([
    ['its port is closed', '127.0.0.1:1'],
    // Connecting to a multicast address fails with ENETUNREACH, as when a router has lost a machine.
    ['its machine is unreachable', '224.0.0.1'],
  ])(
    'starts, is not ready, and answers unavailable instead of refusing keys, as %s',
    async (_, host) => {
      const alone = await startKeys(database, { databaseUrl: `postgresql://unknown@${host}/keys` })
      const unavailable = { reason: 'keys_unavailable' }
      await expect(alone.verifyDigest(Buffer.alloc(32))).rejects.toMatchObject(unavailable)
      await expect(alone.create('acc_away')).rejects.toMatchObject(unavailable)
      await expect(alone.revoke('acc_away')).rejects.toMatchObject(unavailable)
      await expect(alone.list('acc_away')).rejects.toMatchObject(unavailable)
      const ready = await fetch(`${alone.adminUrl}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([503, 'not ready: database\n'])
      await alone.stop()
    },
  )

  test('verifies keys again as soon as its cut connections are replaced', async () => {
    const { secretKey } = await keys.create('acc_cut')
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    const account = await eventually('a key is verified again', () =>
      keys.verifyDigest(digestKey(secretKey)).catch(() => undefined),
    )
    expect(account).toBe('acc_cut')
  })
})

test('answers within its deadline while the account is locked', async () => {
  const { secretKey } = await keys.create('acc_locked')
  const impatient = await openImpatient(() => startKeys(database))
  const holder = await database.pool.connect()
  await holder.query("BEGIN; SELECT 1 FROM accounts WHERE account_id = 'acc_locked' FOR UPDATE")
  await expect(impatient.create('acc_locked')).rejects.toMatchObject({ reason: 'keys_unavailable' })
  await holder.query('ROLLBACK')
  holder.release()
  await impatient.stop()
  expect(await keys.verify(secretKey)).toBe('acc_locked')
})

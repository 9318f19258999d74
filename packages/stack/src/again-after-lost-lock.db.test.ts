import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { Client } from 'pg'
import { againAfterLostLock } from './again-after-lost-lock'

let database: TestDatabase
let service: Client
let migrating: Client

beforeAll(async () => {
  database = await cloneDatabase('keys')
  await database.pool.query('CREATE TABLE things (name TEXT); CREATE TABLE others (name TEXT)')
  service = new Client(database.ownerUrl)
  migrating = new Client(database.ownerUrl)
  await Promise.all([service.connect(), migrating.connect()])
})
afterAll(async () => {
  await Promise.all([service.end(), migrating.end()])
  await database.drop()
})

test('repeats a transaction that PostgreSQL ended because of a deadlock with a service', async () => {
  // PostgreSQL ends the session whose `deadlock_timeout` passes first: with a minute here, that of the migration.
  await service.query("SET deadlock_timeout = '1min'")
  let written: Promise<unknown> | undefined
  let tries = 0
  const lockBoth = async () => {
    tries += 1
    await migrating.query('ROLLBACK; BEGIN; LOCK things')
    if (tries === 1) {
      await service.query('BEGIN; LOCK others')
      written = service.query('LOCK things').then(() => service.query('COMMIT'))
    }
    await migrating.query('LOCK others')
    await migrating.query('COMMIT')
    return 'locked'
  }
  expect([await againAfterLostLock(lockBoth), tries]).toEqual(['locked', 2])
  await written
})

test('repeats a transaction whose lock timeout passed, and throws once the given time has passed', async () => {
  await service.query('BEGIN; LOCK things')
  let tries = 0
  const lock = async () => {
    tries += 1
    await migrating.query("ROLLBACK; BEGIN; SET LOCAL lock_timeout = '10ms'; LOCK things")
  }
  await expect(againAfterLostLock(lock, 300)).rejects.toThrow('lock timeout')
  expect(tries).toBeGreaterThanOrEqual(2)
  await Promise.all([service.query('COMMIT'), migrating.query('ROLLBACK')])
})

test('throws an error other than a lost lock at once', async () => {
  let tries = 0
  const fail = async () => {
    tries += 1
    await migrating.query('SELECT 1 / 0')
  }
  await expect(againAfterLostLock(fail)).rejects.toThrow('division by zero')
  expect(tries).toBe(1)
})

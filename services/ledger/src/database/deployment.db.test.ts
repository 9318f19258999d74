import { countries } from '@malipo/kernel/countries'
import { openImpatient } from '@malipo/runtime/waits.harness'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { openSetClock } from '../clock.harness'
import { startLedger } from '../start.harness'
import { openDatabases } from './database'
import { takeDeployment } from './deployment'

let database: TestDatabase

beforeEach(async () => {
  database = await cloneDatabase('ledger')
})

afterEach(() => database.drop())

/** The start times of the statements that wait for a lock. */
async function backendsThatWait({ pool }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await pool.query<{ since: string }>(`
    SELECT query_start::text AS since FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY query_start`)
  return rows.map(({ since }) => since)
}

const nonEmpty = <Row>(rows: readonly Row[]) => rows.length > 0 && rows

test('stamps a new database with its country and opens its accounts', async () => {
  const ledger = await startLedger(database)
  const deployment = await database.pool.query('SELECT country, currency FROM deployment')
  expect(deployment.rows).toEqual([{ country: 'ke', currency: 'KES' }])
  const accounts = await database.pool.query('SELECT id, currency FROM accounts ORDER BY id')
  expect(accounts.rows).toEqual([
    { id: 'fee:card', currency: 'KES' },
    { id: 'float:airtel_money', currency: 'KES' },
    { id: 'float:card', currency: 'KES' },
    { id: 'float:mpesa', currency: 'KES' },
    { id: 'suspense:duplicate', currency: 'KES' },
    { id: 'suspense:mismatch', currency: 'KES' },
    { id: 'suspense:unconfirmed', currency: 'KES' },
    { id: 'suspense:unmatched', currency: 'KES' },
  ])
  await ledger.stop()
})

test('starts again on its own database, also twice at once', async () => {
  const first = await Promise.all([startLedger(database), startLedger(database)])
  await Promise.all(first.map((ledger) => ledger.stop()))
  const again = await startLedger(database)
  await again.stop()
})

test('ledgers of one country that start at the same moment on a new database all accept it', async () => {
  const opened = openDatabases(database.url)
  for (const table of ['accounts', 'deployment']) {
    await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  }
  for (let round = 0; round < 100; round += 1) {
    await database.pool.query('DELETE FROM accounts; DELETE FROM deployment')
    const starts = Array.from({ length: 6 }, () => takeDeployment(opened.read.db, countries.ke, 0))
    await Promise.all(starts)
  }
  for (const { close } of Object.values(opened)) await close()
})

test('waits for a database that does not answer while it starts', async () => {
  const holder = await database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE deployment')
  const starting = openImpatient(() => startLedger(database))
  const waiting = () => backendsThatWait(database)
  const asksAgain = async () => {
    const [first] = await eventually('it has asked', async () => nonEmpty(await waiting()))
    await eventually('it asks again', async () =>
      (await waiting()).some((since) => since !== first),
    )
  }
  // Closing the connection ends its transaction.
  await asksAgain().finally(() => {
    holder.release(true)
  })
  await (await starting).stop()
})

test('row S37: refuses the database of the other country', async () => {
  const ledger = await startLedger(database)
  await ledger.stop()
  await expect(startLedger(database, { country: countries.ug })).rejects.toThrow(
    'keeps the money of ke',
  )
})

test('refuses the database of another cell, and accepts a database from before cells as that of the first cell', async () => {
  const ledger = await startLedger(database)
  await ledger.stop()
  const first = await startLedger(database, { cell: 0 })
  await first.stop()
  await expect(startLedger(database, { cell: 1 })).rejects.toThrow('keeps the money of cell 0')
})

test('refuses to connect as the owner of its tables, which may change the journal', async () => {
  await expect(startLedger(database, { databaseUrl: database.ownerUrl })).rejects.toThrow(
    'The role malipo of DATABASE_URL may change the journal',
  )
})

test('refuses a database whose clock a test sets, unless it is a test’s ledger', async () => {
  await openSetClock(database)
  await expect(startLedger(database)).rejects.toThrow('The clock of this database is set by a test')
  const ledger = await startLedger(database, { isClockOfTest: true })
  await ledger.stop()
})

test('refuses a database without the ledger in it', async () => {
  const keys = await cloneDatabase('keys')
  await expect(startLedger(keys)).rejects.toThrow()
  await keys.drop()
})

import { systemClock } from '@malipo/runtime/clock'
import { cloneDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { Pool } from 'pg'
import { openSetClock } from '../../clock.harness'
import { openAuditDatabase } from '../../database/database'
import { startLedger } from '../../start.harness'
import { reconcileDay } from './recon-reports'

async function openLedgerDatabase() {
  const database = await cloneDatabase('ledger')
  await (await startLedger(database)).stop()
  return database
}

test('no report of a day is made while a commit waits that would be older than three minutes at its snapshot', async () => {
  const database = await openLedgerDatabase()
  const clock = await openSetClock(database)
  const service = new Pool({ connectionString: database.url })
  const writer = await service.connect()
  await writer.query('BEGIN')
  await writer.query('SELECT pg_current_xact_id()')
  const db = openAuditDatabase(database.url)
  const began = systemClock.now()
  await clock.set(new Date(began + 100_000))
  expect(await reconcileDay(db, '2026-11-10')).toHaveLength(3)
  // The report may wait for its connection for 35 seconds.
  await clock.set(new Date(began + 150_000))
  await expect(reconcileDay(db, '2026-11-10')).rejects.toMatchObject({ reason: 'unavailable' })
  await writer.query('COMMIT')
  expect(await reconcileDay(db, '2026-11-10')).toHaveLength(3)
  writer.release()
  await Promise.all([service.end(), db.$disconnect()])
  await database.drop()
})

test('a report of a day is dated by what it has read, however long it takes to be kept', async () => {
  const database = await openLedgerDatabase()
  const db = openAuditDatabase(database.url)
  const owner = await database.pool.connect()
  await owner.query('BEGIN; LOCK TABLE recon_reports IN SHARE MODE')
  const reconciling = reconcileDay(db, '2026-11-10')
  await eventually('the report is to be kept', async () => {
    const { rows } = await database.pool.query(
      "SELECT FROM pg_locks WHERE NOT granted AND relation = 'recon_reports'::regclass",
    )
    return rows.length > 0
  })
  await owner.query('CREATE TABLE waited AS SELECT clock_timestamp() AS at; COMMIT')
  await reconciling
  const { rows } = await database.pool.query(
    'SELECT bool_and(made_at < at) AS "isBefore" FROM recon_reports, waited',
  )
  expect(rows).toEqual([{ isBefore: true }])
  owner.release()
  await db.$disconnect()
  await database.drop()
})

import { systemClock } from '@malipo/runtime/clock'
import { cloneDatabase } from '@malipo/testing/database'
import { Pool } from 'pg'
import { openSetClock } from '../../clock.harness'
import { openAuditDatabase } from '../../database/database'
import { startLedger } from '../../start.harness'
import { reconcileDay } from './recon-reports'

test('no report of a day is made while a commit waits for longer than three minutes', async () => {
  const database = await cloneDatabase('ledger')
  await (await startLedger(database)).stop()
  const clock = await openSetClock(database)
  const service = new Pool({ connectionString: database.url })
  const writer = await service.connect()
  await writer.query('BEGIN')
  await writer.query('SELECT pg_current_xact_id()')
  const db = openAuditDatabase(database.url)
  await clock.set(new Date(systemClock.now() + 190_000))
  await expect(reconcileDay(db, '2026-11-10')).rejects.toMatchObject({ reason: 'unavailable' })
  await writer.query('COMMIT')
  expect(await reconcileDay(db, '2026-11-10')).toHaveLength(3)
  writer.release()
  await Promise.all([service.end(), db.$disconnect()])
  await database.drop()
})

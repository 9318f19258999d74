import { stretchWaits } from '@malipo/runtime/waits'
import { cloneDatabase } from '@malipo/testing/database'
import { openAuditDatabase } from './database'

test('a query waits for the one connection while another takes longer than a payment would wait', async () => {
  const database = await cloneDatabase('ledger')
  // A payment would wait 20 ms for a connection, and an audit 350.
  stretchWaits(0.01)
  const audits = openAuditDatabase(database.url)
  await audits.$queryRaw`SELECT 1`
  const [long, next] = await Promise.all([
    audits.$queryRaw`SELECT pg_sleep(0.1)::text AS slept`,
    audits.$queryRaw`SELECT 1 AS one`,
  ])
  expect([long, next]).toEqual([[{ slept: '' }], [{ one: 1 }]])
  await audits.$disconnect()
  await database.drop()
})

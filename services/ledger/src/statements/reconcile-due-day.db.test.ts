import { openAuditDatabase } from '../database/database'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { reconcileDueDay } from './store/recon-reports'

const at = ledgerOfFile({ reconcileEverySeconds: 3_600 })

test('two ledgers that find a day due in the same moment make one report of it', async () => {
  const ledgers = [openAuditDatabase(at.database.url), openAuditDatabase(at.database.url)]
  const made = await meanwhile(at, ['LOCK TABLE recon_reports IN SHARE MODE', []], () =>
    Promise.all(ledgers.map((db) => reconcileDueDay(db))),
  )
  expect(made.filter((reports) => reports.length > 0)).toHaveLength(1)
  const { rows } = await at.database.pool.query(
    'SELECT day, provider, count(*)::int AS count FROM recon_reports GROUP BY day, provider',
  )
  expect(rows).not.toEqual([])
  expect(rows).toEqual(rows.map((row: object) => ({ ...row, count: 1 })))
  await Promise.all(ledgers.map((db) => db.$disconnect()))
})

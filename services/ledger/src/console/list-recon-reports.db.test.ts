import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('lists the newest report of each day and provider', async () => {
  expect(await at.ledger.listReconReports({ limit: 10 })).toEqual({ reports: [] })
  await by.unmatched()
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-21']) {
    await at.ledger.reconcileDay({ day })
  }
  const { reports } = await at.ledger.listReconReports({ limit: 10 })
  expect(reports.map(({ day, provider }) => `${day} ${provider}`)).toEqual([
    ...['2026-11-21 airtel_money', '2026-11-21 card', '2026-11-21 mpesa'],
    ...['2026-11-20 airtel_money', '2026-11-20 card', '2026-11-20 mpesa'],
  ])
  await expect(at.ledger.listReconReports({ limit: 0 })).rejects.toMatchObject({
    facts: { field: 'limit' },
  })
})

import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'

const at = ledgerOfFile({ reconcileEverySeconds: 0.1 })

const from = new Date('2026-11-20T11:00:00Z')
const until = new Date('2026-11-20T11:15:00Z')

test('stores the provider and the period of each statement reading', async () => {
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  const { rows } = await at.database.pool.query(
    'SELECT provider, from_at, until_at FROM statement_reads',
  )
  expect(rows).toEqual([{ provider: 'mpesa', from_at: from, until_at: until }])
})

test.each([
  ['no rail', { rail: Rail.UNSPECIFIED }],
  ['no end', { until: undefined }],
  ['an end before the beginning', { from: until, until: from }],
])('refuses %s', async (_, changes) => {
  const request = { rail: Rail.MPESA, from, until, ...changes }
  await expect(at.ledger.recordStatementRead(request)).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})

test('a metric shows how far the reading of the statement is behind', async () => {
  const minutesAgo = (minutes: number) => new Date(systemClock.now() - minutes * 60_000)
  await at.ledger.recordStatementRead({
    ...{ rail: Rail.MPESA, from: minutesAgo(300), until: minutesAgo(20) },
  })
  await eventually('it was read to 20 minutes ago', async () => {
    const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
    const lag = /^malipo_statement_lag_seconds\{provider="mpesa"\} (\d+)/m.exec(text)?.[1]
    return lag !== undefined && BigInt(lag) >= 1_200n && BigInt(lag) < 1_300n
  })
})

import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { openAuditDatabase } from '../database/database'
import { ledgerOfFile } from '../ledger.harness'
import { type ComparedSlices, readDifference } from './store/recon-reports'

const at = ledgerOfFile({ reconcileEverySeconds: 0.1 })

async function valueOf(metric: string): Promise<string | undefined> {
  const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(metric))
  return line?.split(' ').at(-1)
}

const lag = 'malipo_statement_lag_seconds{provider="mpesa"}'
const difference = 'malipo_level{name="recon_diff_minor"}'

/** Queries of a table fail while the table has another name. */
const rename = (from: string, to: string) =>
  at.database.pool.query(`ALTER TABLE ${from} RENAME TO ${to}`)

test('a step of reconciling that fails is counted, from 0 on', async () => {
  const failed = 'malipo_events_total{name="reconcile_step_failed"}'
  expect(await valueOf(failed)).toBe('0')
  await rename('recon_reports', 'hidden_reports')
  await eventually('it is counted', async () => (await valueOf(failed)) !== '0')
  await rename('hidden_reports', 'recon_reports')
})

test('the lag and the difference are measured while the reports of days cannot be read', async () => {
  await rename('recon_reports', 'hidden_reports')
  await eventually('both are measured', async () => {
    return (await valueOf(lag)) !== undefined && (await valueOf(difference)) === '0'
  })
  const [from, until] = [-3_600, 60].map((seconds) => new Date(systemClock.now() + seconds * 1_000))
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  await eventually('the lag is measured again', async () => (await valueOf(lag)) === '0')
  await rename('hidden_reports', 'recon_reports')
})

test('a lag and a difference that cannot be measured are not shown, and come back', async () => {
  await eventually('both are measured', async () => (await valueOf(difference)) === '0')
  await rename('statement_reads', 'hidden_reads')
  await eventually('neither is shown', async () => {
    return (await valueOf(lag)) === undefined && (await valueOf(difference)) === undefined
  })
  await rename('hidden_reads', 'statement_reads')
  await eventually('both are measured again', async () => {
    return (await valueOf(lag)) !== undefined && (await valueOf(difference)) === '0'
  })
})

test('a comparison that takes too long fails, and the next call goes on where it ended', async () => {
  const db = openAuditDatabase(at.database.url)
  const compared: ComparedSlices = new Map()
  for (const size of [1, 2]) {
    await expect(readDifference(db, compared, 0)).rejects.toThrow('within 0 ms')
    expect(compared.size).toBe(size)
  }
  expect(await readDifference(db, compared)).toMatchObject({ recon_diff_minor: 0 })
  expect(compared.size).toBeGreaterThan(40)
  await db.$disconnect()
})

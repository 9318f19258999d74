import {
  ProviderMessageKind,
  ReportClosingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, present } from '../payments.harness'
import { evidence } from './evidence.harness'
import { reports } from './report-closings.harness'

let at: TestLedger
let the: ReturnType<typeof reports>

beforeAll(async () => {
  at = await openLedger()
  the = reports(at)
  await the.by.enroll()
})

afterAll(() => at.close())

/** What the audit says of this intent, what the day of the report differs by, and how many reports are counted. */
async function counted({ intentId, receipt }: { intentId: string; receipt: string }) {
  const { findings } = await at.ledger.audit({ sinceSeconds: undefined })
  const { rows } = await at.database.pool.query<{ day: string }>(
    `SELECT (reported_at AT TIME ZONE 'Africa/Nairobi')::date::text AS day FROM payment_reports WHERE receipt = $1`,
    [receipt],
  )
  const { reports: compared } = await at.ledger.reconcileDay({ day: present(rows[0]).day })
  return {
    isFound: findings.find(({ number }) => number === 9)?.examples.includes(intentId),
    isDifference: compared.some(({ differing }) => differing.includes(receipt)),
    level: (await at.database.pool.query('SELECT FROM unposted_reports()')).rowCount,
  }
}

test('two operators close a false report: no finding, no difference and no count is left of it', async () => {
  const report = await the.reported()
  expect(await counted(report)).toEqual({ isFound: true, isDifference: true, level: 1 })
  const closingId = await the.asked(report.subject)
  expect(await the.find(report.subject)).toMatchObject({
    ...{ signed: true, intentId: report.intentId, checkoutId: report.checkoutId, closingId },
    amount: { minor: report.amountMinor, currency: 'KES' },
  })
  expect(await the.decide(closingId, true, the.by.amina)).toBe(ReportClosingOutcome.NEEDS_ANOTHER)
  expect(await counted(report)).toMatchObject({ isFound: true })
  expect(await the.decide(closingId, true)).toBe(ReportClosingOutcome.CLOSED)
  expect(await counted(report)).toEqual({ isFound: false, isDifference: false, level: 0 })
  expect(await the.find(report.subject)).toBeUndefined()
  expect((await the.ask(report.subject)).outcome).toBe(ReportClosingOutcome.REPORT_CLOSED)
  expect(await the.decide(closingId, false)).toBe(ReportClosingOutcome.CLOSING_DECIDED)
})

test('money that comes after the closing is posted as ever', async () => {
  const { checkoutId, receipt, subject, ...attempt } = await the.reported()
  await the.close(subject)
  const fact = confirmed({ receipt, amountMinor: attempt.amountMinor })
  const applied = await evidence(at).fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(applied.result).toBe('EVIDENCE_RESULT_SETTLED')
  expect((await at.ledger.readCheckout({ checkoutId })).checkout).toMatchObject({
    status: 'CHECKOUT_STATUS_COMPLETED',
  })
})

test('a report whose money came while it was asked about is not closed', async () => {
  const { receipt, subject, ...attempt } = await the.reported()
  const closingId = await the.asked(subject)
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.CLOSING_UNDERWAY)
  const fact = confirmed({ receipt, amountMinor: attempt.amountMinor })
  await evidence(at).fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(await the.decide(closingId, true)).toBe(ReportClosingOutcome.REPORT_POSTED)
  expect(await the.decide(closingId, false, the.by.amina)).toBe(ReportClosingOutcome.WITHDRAWN)
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.REPORT_POSTED)
})

test('the database itself refuses a closing by one operator, another subject, and one that is taken back', async () => {
  const { subject } = await the.reported()
  const closingId = await the.asked(subject)
  const change = (sql: string) => at.database.pool.query(sql, [closingId])
  await expect(
    change("UPDATE report_closings SET status = 'closed', decided_by = asked_by WHERE id = $1"),
  ).rejects.toMatchObject({ constraint: 'report_closings_need_two' })
  await expect(
    change("UPDATE report_closings SET subject = 'mpesa:X' WHERE id = $1"),
  ).rejects.toThrow('it is what was agreed to')
  await the.decide(closingId, true)
  await expect(change("UPDATE report_closings SET status = 'asked' WHERE id = $1")).rejects.toThrow(
    'it was decided',
  )
  await expect(change('DELETE FROM report_closings WHERE id = $1')).rejects.toThrow('never removed')
})

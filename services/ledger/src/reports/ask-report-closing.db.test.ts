import { ReportClosingOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { brian, note } from '../operators/operators.harness'
import { reports } from './report-closings.harness'

const at = ledgerOfFile()
const the = reports(at)

beforeAll(async () => {
  await the.by.enroll()
})

test('a report without a receipt is listed and closed by the id of its intent', async () => {
  const { checkoutId } = await at.pay.checkout()
  const { intentId } = await at.pay.pending(checkoutId)
  await at.database.pool.query(
    `INSERT INTO payment_reports (intent_id, receipt, message_id, provider, minor, reported_at)
     VALUES ($1, '', 'pm', 'mpesa', 1, now() - interval '11 minutes')`,
    [intentId],
  )
  expect(await the.find(intentId)).toMatchObject({ signed: true })
  await the.close(intentId)
  expect(await the.find(intentId)).toBeUndefined()
})

test.each(['mpesa:NEVER00001', `pi_${'0'.repeat(24)}`])(
  'returns REPORT_NOT_FOUND for a report that was never made: %s',
  async (subject) => {
    expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.REPORT_NOT_FOUND)
  },
)

test('refuses an invalid subject, an empty note, and a call that no operator signed', async () => {
  const invalid = { reason: 'invalid_request' }
  await expect(the.ask('QK12345678')).rejects.toMatchObject(invalid)
  const subject = 'mpesa:QK12345678'
  await expect(the.by.amina.askReportClosing({ subject, note: ' ' })).rejects.toMatchObject(invalid)
  await expect(at.ledger.askReportClosing({ subject, note })).rejects.toThrow()
  expect(await the.decide('rc_gone', true)).toBe(ReportClosingOutcome.CLOSING_NOT_FOUND)
})

test('when two operators ask to close a report at the same moment, one request is recorded', async () => {
  const { subject } = await the.reported()
  const statement = `INSERT INTO report_closings (id, subject, status, asked_by, asked_at)
    VALUES ('rc_' || repeat('0', 24), $1, 'asked', $2, now())`
  const { outcome } = await meanwhile(at, [statement, [subject, brian.operatorId]], () =>
    the.ask(subject),
  )
  expect(outcome).toBe(ReportClosingOutcome.CLOSING_UNDERWAY)
  const { rowCount } = await at.database.pool.query(
    'SELECT FROM operator_actions WHERE subject = $1',
    [subject],
  )
  expect(rowCount).toBe(0)
  await the.decide(`rc_${'0'.repeat(24)}`, true, the.by.amina)
})

import {
  EvidenceResult,
  ReportPostingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { evidence } from '../evidence/evidence.harness'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { brian, note } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { confirmed, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { reports } from './report-closings.harness'
import { postings } from './report-postings.harness'

const at = ledgerOfFile({ payBillNumberKey })
const the = postings(at)
const {
  AMOUNT_NOT_ASKED,
  ASKED,
  POSTED,
  POSTING_UNDERWAY,
  RECEIPT_ELSEWHERE,
  RECEIPT_MALFORMED,
  RECEIPT_POSTED,
  REPORT_NOT_FOUND,
  REPORT_POSTED,
} = ReportPostingOutcome

beforeAll(async () => {
  await the.by.enroll()
})

test('only an attempt that was reported as paid ten minutes ago can be posted', async () => {
  const receipt = uniqueReceipt()
  const attempt = await evidence(at).pending()
  await letPass(at.database, 660)
  expect((await the.ask(attempt.intentId, receipt)).outcome).toBe(REPORT_NOT_FOUND)
  expect((await the.ask(`pi_${'0'.repeat(24)}`, receipt)).outcome).toBe(REPORT_NOT_FOUND)
  const { providerRequestId } = attempt
  await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
  expect((await the.ask(attempt.intentId, receipt)).outcome).toBe(REPORT_NOT_FOUND)
  await letPass(at.database, 660)
  expect(await the.ask(attempt.intentId, receipt)).toMatchObject({ outcome: ASKED })
  expect((await the.ask(attempt.intentId, receipt)).outcome).toBe(POSTING_UNDERWAY)
  await at.pay.paid(attempt, { receipt })
  expect((await the.ask(attempt.intentId, receipt)).outcome).toBe(REPORT_POSTED)
})

test('refuses another amount than the payer was asked for, and a text that is no receipt of the rail', async () => {
  const { intentId, ...attempt } = await the.reported()
  const receipt = uniqueReceipt()
  const outcome = async (given: string, amount: string) =>
    (await the.ask(intentId, given, { amount })).outcome
  expect(await outcome(receipt, '501')).toBe(AMOUNT_NOT_ASKED)
  expect(await outcome(receipt.toLowerCase(), '500')).toBe(RECEIPT_MALFORMED)
  expect(await outcome('QK/1234567', '500')).toBe(RECEIPT_MALFORMED)
  expect(await outcome(` ${receipt} `, 'KES 500')).toBe(ASKED)
  await at.pay.paid({ intentId, ...attempt }, { receipt })
})

test('a receipt that is posted, lies in suspense, or was reported for another payment is refused', async () => {
  const { intentId, ...attempt } = await the.reported()
  const { receipt: posted } = await the.posted()
  const [, held = ''] = (await the.by.unmatched()).split(':')
  for (const receipt of [posted, held]) {
    expect((await the.ask(intentId, receipt)).outcome).toBe(RECEIPT_POSTED)
  }
  const { receipt: ofAnother, subject } = await reports(at).reported()
  expect((await the.ask(intentId, ofAnother)).outcome).toBe(RECEIPT_ELSEWHERE)
  const menu = payBill(at.ledger)
  const fromMenu = uniqueReceipt()
  const accountNumber = await menu.number((await at.pay.checkout()).checkoutId)
  await menu.paid({ accountNumber, receipt: fromMenu, amountMinor: 50_000n, unsigned: true })
  expect((await the.ask(intentId, fromMenu)).outcome).toBe(RECEIPT_ELSEWHERE)
  await reports(at).close(subject)
  await at.pay.paid({ intentId, ...attempt })
})

test('when the receipts of two payments were swapped, the unpaid one is posted by the receipt that was reported for the other', async () => {
  const { receipt: crossed, ...first } = await the.posted()
  const second = await evidence(at).pending()
  const receipt = uniqueReceipt()
  expect(await the.row(first.intentId, receipt)).toBe(EvidenceResult.CONTRADICTION)
  expect(await the.row(second.intentId, crossed)).toBe(EvidenceResult.CONTRADICTION)
  await letPass(at.database, 660)
  const third = await the.reported()
  expect((await the.ask(third.intentId, receipt)).outcome).toBe(RECEIPT_ELSEWHERE)
  expect((await the.ask(second.intentId, crossed)).outcome).toBe(RECEIPT_POSTED)

  const postingId = await the.requested(second.intentId, receipt)
  expect(await the.decide(postingId, true)).toBe(POSTED)
  const paid = [{ debit: 'float:mpesa', credit: `wallet:${second.accountId}`, minor: '50000' }]
  expect(await evidence(at).transfers(`wallet:${second.accountId}`)).toEqual(paid)
  for (const subject of [`mpesa:${receipt}`, second.intentId]) {
    expect(await reports(at).find(subject)).toBeUndefined()
  }
  await at.pay.paid(third)
})

test('refuses a malformed request, and a call that no operator signed', async () => {
  const invalid = { reason: 'invalid_request' }
  const request = { intentId: `pi_${'0'.repeat(24)}`, receipt: 'QK12345678', amount: '500', note }
  for (const changes of [
    { intentId: 'mpesa:QK12345678' },
    { receipt: ' ' },
    { amount: '5,00' },
    { note: ' ' },
  ]) {
    const malformed = { ...request, ...changes }
    await expect(the.by.amina.askReportPosting(malformed)).rejects.toMatchObject(invalid)
  }
  await expect(at.ledger.askReportPosting(request)).rejects.toThrow()
  expect(await the.decide('rp_gone', true)).toBe(ReportPostingOutcome.POSTING_NOT_FOUND)
})

test('when two operators ask to post an attempt at the same moment, one request is recorded', async () => {
  const attempt = await the.reported()
  const { intentId } = attempt
  const statement = `INSERT INTO report_postings (id, intent_id, receipt, minor, status, asked_by, asked_at)
    VALUES ('rp_' || repeat('0', 24), $1, 'QK12345678', 50000, 'asked', $2, now())`
  const { outcome } = await meanwhile(at, [statement, [intentId, brian.operatorId]], () =>
    the.ask(intentId, uniqueReceipt()),
  )
  expect(outcome).toBe(POSTING_UNDERWAY)
  const { rowCount } = await at.database.pool.query(
    'SELECT FROM operator_actions WHERE subject = $1',
    [intentId],
  )
  expect(rowCount).toBe(0)
  await at.pay.paid(attempt)
})

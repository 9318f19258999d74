import {
  CheckoutStatus,
  IntentStatus,
  ProviderMessageKind,
  ReportClosingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'
import { brian, note } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'

import { reports } from './report-closings.harness'

const at = ledgerOfFile({ payBillNumberKey })
const the = reports(at)

beforeAll(async () => {
  await the.by.enroll()
})

/** Whether the audit finds the intent, whether the day's reconciliation lists its receipt, and how many reports are open. */
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
    level: (await at.ledger.listReports({ limit: 1 })).signedTotal,
  }
}

test('a false report that two operators close leaves the audit, the reconciliation and the count of open reports', async () => {
  const report = await the.reported()
  expect(await counted(report)).toEqual({ isFound: true, isDifference: true, level: 1 })
  const closingId = await the.requestedClosing(report.subject)
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

/** The facts by which the payer page of a checkout chooses its screen. */
async function shownToPayer(checkoutId: string) {
  const checkout = present((await at.ledger.readCheckout({ checkoutId })).checkout)
  const { mayHavePaid, foundUnpaid, attempt, payBillReportedAt } = checkout
  const isReported = (attempt?.reportedAt ?? payBillReportedAt) !== undefined
  return { mayHavePaid, foundUnpaid, isReported }
}
const maybe = { mayHavePaid: true, foundUnpaid: false }
const unpaid = { mayHavePaid: false, foundUnpaid: true, isReported: false }

/** A report that no longer holds its intent open. */
async function expired() {
  const report = await the.reported()
  await eventually('the hold is over', async () => {
    return (await at.pay.status(report.intentId)) === IntentStatus.EXPIRED
  })
  return report
}

test('after the closing the payer page shows "found unpaid" instead of "may have paid"', async () => {
  const { checkoutId, subject } = await expired()
  expect(await shownToPayer(checkoutId)).toEqual({ ...maybe, isReported: true })
  const closingId = await the.requestedClosing(subject)
  expect(await shownToPayer(checkoutId)).toEqual({ ...maybe, isReported: true })
  await the.decide(closingId, true)
  expect(await shownToPayer(checkoutId)).toEqual(unpaid)
})

/** What the hub shows the merchant of a checkout, in the list and in the timeline. */
async function toldMerchant({ accountId, checkoutId }: { accountId: string; checkoutId: string }) {
  const request = { status: CheckoutStatus.UNSPECIFIED, paidAfterExpiry: false, moneyHeld: false }
  const page = { accountId, limit: 1, search: checkoutId }
  const { checkouts } = await at.ledger.listCheckouts({ ...request, ...page })
  const timeline = await at.ledger.readTimeline({ accountId, checkoutId })
  return [present(checkouts[0]), present(timeline.checkout)].map(({ foundUnpaid }) => foundUnpaid)
}

test('the merchant’s list and timeline show "found unpaid" once the last report of the checkout is closed', async () => {
  const { checkoutId, subject, ...attempt } = await expired()
  const { rows } = await at.database.pool.query<{ account_id: string }>(
    'SELECT account_id FROM checkouts WHERE id = $1',
    [checkoutId],
  )
  const own = { accountId: present(rows[0]).account_id, checkoutId }
  const second = uniqueReceipt()
  await at.pay.paid(attempt, { sourceKnown: false, receipt: second })
  await letPass(at.database, 660)
  await the.close(subject)
  expect(await toldMerchant(own)).toEqual([undefined, undefined])
  await the.close(`mpesa:${second}`)
  expect(await toldMerchant(own)).toEqual([true, true])
})

test('a second report of the same intent keeps the warning until it is closed as well', async () => {
  const { checkoutId, subject, ...attempt } = await expired()
  const receipt = uniqueReceipt()
  await at.pay.paid(attempt, { sourceKnown: false, receipt })
  await letPass(at.database, 660)
  await the.close(subject)
  expect(await shownToPayer(checkoutId)).toEqual({ ...maybe, isReported: true })
  await the.close(`mpesa:${receipt}`)
  expect(await shownToPayer(checkoutId)).toEqual(unpaid)
})

test('an answer to our own query that says "paid" outweighs a closing', async () => {
  const { checkoutId, subject, ...attempt } = await expired()
  await the.close(subject)
  const { providerRequestId, amountMinor, receipt } = attempt
  await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
  expect(await shownToPayer(checkoutId)).toEqual({ ...maybe, isReported: true })
  const row = confirmed({ receipt, amountMinor })
  await evidence(at).fetched(attempt, row, ProviderMessageKind.STATEMENT_ROW)
})

/** Whether a report is on the list, whether the audit finds it, and how many reports are open. */
async function waits(intentId: string) {
  const { findings } = await at.ledger.audit({ sinceSeconds: undefined })
  return {
    isListed: (await the.find(intentId)) !== undefined,
    isFound: findings.find(({ number }) => number === 9)?.examples.includes(intentId) ?? false,
    level: (await at.ledger.listReports({ limit: 1 })).signedTotal,
  }
}

test('a report without a receipt is open again once our own query says "paid" after its closing', async () => {
  const { checkoutId } = await at.pay.checkout()
  const attempt = await at.pay.pending(checkoutId)
  const { intentId, providerRequestId } = attempt
  const messageId = await at.pay.callback(attempt.callbackToken)
  await at.ledger.applyEvidence({ messageId, fact: confirmed({ providerRequestId }) })
  await letPass(at.database, 660)
  const { level } = await waits(intentId)
  await the.close(intentId)
  expect(await waits(intentId)).toEqual({ isListed: false, isFound: false, level: level - 1 })
  await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
  expect(await waits(intentId)).toEqual({ isListed: true, isFound: true, level })
  const row = confirmed({ receipt: uniqueReceipt(), amountMinor: attempt.amountMinor })
  await evidence(at).fetched(attempt, row, ProviderMessageKind.STATEMENT_ROW)
})

test('a report stays closed when a query was answered with "paid" before its closing as well', async () => {
  const { checkoutId } = await at.pay.checkout()
  const attempt = await at.pay.pending(checkoutId)
  const { intentId, providerRequestId } = attempt
  await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
  await letPass(at.database, 660)
  expect(await waits(intentId)).toMatchObject({ isListed: true, isFound: true })
  await the.close(intentId)
  await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
  expect(await waits(intentId)).toMatchObject({ isListed: false, isFound: false })
})

test('a false report from the menu that was closed leaves no warning either', async () => {
  const { checkoutId } = await at.pay.checkout()
  const menu = payBill(at.ledger)
  const receipt = uniqueReceipt()
  const accountNumber = await menu.number(checkoutId)
  await menu.paid({ accountNumber, receipt, amountMinor: 50_000n, unsigned: true })
  await letPass(at.database, 660)
  expect(await shownToPayer(checkoutId)).toEqual({ ...maybe, isReported: false })
  await the.close(`mpesa:${receipt}`)
  expect(await shownToPayer(checkoutId)).toEqual(unpaid)
})

test('an attempt to pay a handle also shows "found unpaid" after the closing', async () => {
  const attempt = await at.pay.pendingToHandle(await at.pay.merchant())
  const receipt = uniqueReceipt()
  await at.pay.paid(attempt, { sourceKnown: false, receipt })
  await letPass(at.database, 660)
  const read = async () => {
    const { payment } = await at.ledger.readHandlePayment({ intentId: attempt.intentId })
    const { mayHavePaid, foundUnpaid, attempt: shown } = present(payment)
    return { mayHavePaid, foundUnpaid, isReported: shown?.reportedAt !== undefined }
  }
  await eventually('the hold is over', async () => (await read()).mayHavePaid)
  expect(await read()).toEqual({ ...maybe, isReported: true })
  await the.close(`mpesa:${receipt}`)
  expect(await read()).toEqual(unpaid)
})

test('money that arrives after the closing is posted and completes the checkout', async () => {
  const { checkoutId, receipt, subject, ...attempt } = await the.reported()
  await the.close(subject)
  const fact = confirmed({ receipt, amountMinor: attempt.amountMinor })
  const applied = await evidence(at).fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(applied.result).toBe('EVIDENCE_RESULT_SETTLED')
  expect((await at.ledger.readCheckout({ checkoutId })).checkout).toMatchObject({
    status: 'CHECKOUT_STATUS_COMPLETED',
  })
})

test('a report whose money arrived after the closing was requested is not closed', async () => {
  const { receipt, subject, ...attempt } = await the.reported()
  const closingId = await the.requestedClosing(subject)
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.CLOSING_UNDERWAY)
  const fact = confirmed({ receipt, amountMinor: attempt.amountMinor })
  await evidence(at).fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(await the.decide(closingId, true)).toBe(ReportClosingOutcome.REPORT_POSTED)
  expect(await the.decide(closingId, false, the.by.amina)).toBe(ReportClosingOutcome.WITHDRAWN)
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.REPORT_POSTED)
})

/**
 * A report whose receipt the statement has shown with an unknown account number, so that its money lies unmatched in
 * suspense.
 */
async function reportedInSuspense() {
  const report = await the.reported()
  const { receipt, amountMinor } = report
  const kind = 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
  await payBill(at.ledger).paid({ accountNumber: 'rent', receipt, amountMinor, kind })
  expect(await the.by.holder(report.subject)).toBe('suspense:unmatched')
  return report
}

test('a report whose receipt lies unmatched in suspense is listed until two operators close it', async () => {
  const { subject } = await reportedInSuspense()
  expect(await the.find(subject)).toMatchObject({ signed: true })
  await the.close(subject)
  expect(await the.find(subject)).toBeUndefined()
})

test('a report leaves the list and cannot be closed once its receipt was placed from suspense', async () => {
  const { subject } = await reportedInSuspense()
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  const { placementId = '' } = await the.by.amina.askPlacement({ subject, owner, note })
  await the.by.brian.decidePlacement({ placementId, agreed: true, note })
  expect(await the.by.holder(subject)).toBe(`wallet:${owner.value}`)
  expect(await the.find(subject)).toBeUndefined()
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.REPORT_POSTED)
})

test('a report whose receipt lies unmatched leaves the list once another attempt has paid its checkout', async () => {
  const { subject, checkoutId, ...first } = await reportedInSuspense()
  await at.pay.declined(first)
  await letPass(at.database, 200)
  await eventually(
    'the first attempt expires',
    async () => (await at.pay.status(first.intentId)) === IntentStatus.EXPIRED,
  )
  await at.pay.paid(await at.pay.pending(checkoutId))
  expect(await the.find(subject)).toBeUndefined()
  expect((await the.ask(subject)).outcome).toBe(ReportClosingOutcome.REPORT_POSTED)
})

test('a closing that another operator withdraws at the same moment cannot be approved', async () => {
  const { subject } = await the.reported()
  const closingId = await the.requestedClosing(subject)
  const withdrawn = "UPDATE report_closings SET status = 'withdrawn', decided_by = $2 WHERE id = $1"
  const second = meanwhile(at, [withdrawn, [closingId, brian.operatorId]], () =>
    the.decide(closingId, true),
  )
  expect(await second).toBe(ReportClosingOutcome.CLOSING_DECIDED)
  await the.close(subject)
})

test('the database itself refuses a closing by one operator, a changed subject, and reopening', async () => {
  const { subject } = await the.reported()
  const closingId = await the.requestedClosing(subject)
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

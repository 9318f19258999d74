import {
  CheckoutStatus,
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
  ReportPostingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { evidence } from '../evidence/evidence.harness'
import { ledgerOfFile } from '../ledger.harness'
import { hold, meanwhile } from '../locks.harness'
import { brian, note } from '../operators/operators.harness'
import { payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { reports } from './report-closings.harness'
import { postings } from './report-postings.harness'

const at = ledgerOfFile({ payBillNumberKey })
const the = postings(at)
const received = evidence(at)
const { POSTED, NEEDS_ANOTHER, POSTING_DECIDED, WITHDRAWN, REPORT_POSTED } = ReportPostingOutcome

beforeAll(async () => {
  await the.by.enroll()
})

const paidInto = (accountId: string) => received.transfers(`wallet:${accountId}`)
const once = [{ debit: 'float:mpesa', credit: expect.stringMatching(/^wallet:/), minor: '50000' }]

test('row 17: a payment that was reported without a receipt is posted by two operators, and never by one', async () => {
  const { intentId, checkoutId, accountId } = await the.reported()
  const receipt = uniqueReceipt()
  const postingId = await the.requested(intentId, receipt)
  expect(await reports(at).find(intentId)).toMatchObject({ postingId })
  expect(await the.decide(postingId, true, the.by.amina)).toBe(NEEDS_ANOTHER)
  expect(await paidInto(accountId)).toEqual([])
  expect(await the.decide(postingId, true)).toBe(POSTED)
  expect(await at.pay.status(intentId)).toBe(IntentStatus.COMPLETED)
  expect(await received.checkoutStatus(checkoutId)).toBe(CheckoutStatus.COMPLETED)
  expect(await paidInto(accountId)).toEqual(once)
  expect(await reports(at).find(intentId)).toBeUndefined()
  expect(await the.decide(postingId, false)).toBe(POSTING_DECIDED)

  const { rows } = await at.database.pool.query(
    `SELECT kind, strength, result, convert_from(body, 'UTF8')::jsonb AS body FROM provider_messages
     WHERE intent_id = $1 AND receipt = $2`,
    [intentId, receipt],
  )
  const body = { posting: postingId, receipt, minor: '50000' }
  expect(rows).toEqual([{ kind: 'operator', strength: 'E4', result: 'settled', body }])
  const { findings } = await at.ledger.audit({ sinceSeconds: undefined })
  expect(findings.filter((one) => one.rows !== 0)).toEqual([])
})

test('a report that two operators had closed is posted all the same when the money is found', async () => {
  const { intentId } = await the.reported()
  await reports(at).close(intentId)
  expect(await the.decide(await the.requested(intentId, uniqueReceipt()), true)).toBe(POSTED)
})

test('nothing is posted again when the provider later names the receipt that operators have posted', async () => {
  const { receipt, accountId, ...attempt } = await the.posted()
  const fact = confirmed({ ...attempt, receipt })
  expect((await received.fetched(attempt, fact)).result).toBe(EvidenceResult.ALREADY_SETTLED)
  expect((await at.pay.paid(attempt, { receipt })).result).toBe(EvidenceResult.ALREADY_SETTLED)
  expect(await paidInto(accountId)).toEqual(once)
})

test.each([
  ['the provider’s answer', ProviderMessageKind.QUERY_ANSWER],
  ['a row of the statement', ProviderMessageKind.STATEMENT_ROW],
])(
  'another receipt of a payment that was posted by hand, in %s, is a contradiction that is reported and not posted',
  async (_, kind) => {
    const { accountId, checkoutId, ...attempt } = await the.posted()
    const before = await received.counted('contradiction')
    const receipt = uniqueReceipt()
    const fact = confirmed({ ...attempt, receipt })
    const applied = await received.fetched(attempt, fact, kind)
    expect(applied.result).toBe(EvidenceResult.CONTRADICTION)
    await reportedOnce({ accountId, checkoutId, receipt })
    expect(await received.counted('contradiction')).toBe(before + 1)
  },
)

/** Expects that the receipt posted nothing, and that it is in the list of reports until two operators close it. */
async function reportedOnce(of: { accountId: string; checkoutId: string; receipt: string }) {
  const subject = `mpesa:${of.receipt}`
  expect(await paidInto(of.accountId)).toEqual(once)
  expect(await received.suspended(of.checkoutId)).toEqual([])
  await letPass(at.database, 660)
  expect(await reports(at).find(subject)).toMatchObject({ signed: true })
  await reports(at).close(subject)
}

test('a statement row with the reference of a prompt posted by hand is posted only if its amount differs', async () => {
  const { accountId, checkoutId, intentId } = await the.posted()
  const receipt = uniqueReceipt()
  expect(await the.row(intentId, receipt)).toBe(EvidenceResult.CONTRADICTION)
  await reportedOnce({ accountId, checkoutId, receipt })
  await the.row(intentId, uniqueReceipt(), 40_000n)
  expect(await received.suspended(checkoutId)).toMatchObject([{ minor: '40000' }])
})

test('a statement row with a receipt that operators posted for another prompt is a contradiction, and lists the prompt that it names', async () => {
  const { receipt, ...first } = await the.posted()
  const { intentId, accountId } = await received.pending()
  const before = await received.counted('contradiction')
  expect(await the.row(intentId, receipt)).toBe(EvidenceResult.CONTRADICTION)
  expect(await received.counted('contradiction')).toBe(before + 1)
  expect([await paidInto(first.accountId), await paidInto(accountId)]).toEqual([once, []])
  await letPass(at.database, 590)
  expect(await at.pay.status(intentId)).toBe(IntentStatus.PENDING)
  await letPass(at.database, 70)
  expect(await reports(at).find(intentId)).toMatchObject({ signed: true })
  await reports(at).close(intentId)
})

test('money that comes after a posting was asked for is posted by its receipt, and the posting is refused', async () => {
  const { accountId, ...attempt } = await the.reported()
  const postingId = await the.requested(attempt.intentId, uniqueReceipt())
  await at.pay.paid(attempt)
  expect(await the.decide(postingId, true)).toBe(REPORT_POSTED)
  expect(await the.decide(postingId, false, the.by.amina)).toBe(WITHDRAWN)
  expect(await paidInto(accountId)).toEqual(once)
})

test('money for a handle that comes at the moment at which a posting is agreed to is posted once', async () => {
  const accountId = await at.pay.merchant()
  const attempt = await at.pay.pendingToHandle(accountId)
  const { intentId, providerRequestId } = attempt
  await received.fetched(attempt, confirmed({ providerRequestId }))
  await letPass(at.database, 660)
  const postingId = await the.requested(intentId, uniqueReceipt())
  const held = await hold(at, 'intents', intentId)
  const paid = at.pay.paid(attempt)
  await held.untilWaiting(1)
  const decided = the.decide(postingId, true)
  await held.untilWaiting(2)
  await held.letGo()
  expect((await paid).result).toBe(EvidenceResult.SETTLED)
  expect(await decided).toBe(REPORT_POSTED)
  expect(await paidInto(accountId)).toEqual(once)
})

test('a withdrawn request for a posting posts nothing, and a new one may be made', async () => {
  const { intentId, accountId } = await the.reported()
  const postingId = await the.requested(intentId, 'QK00000001')
  expect(await the.decide(postingId, false)).toBe(WITHDRAWN)
  expect(await the.decide(postingId, true)).toBe(POSTING_DECIDED)
  expect(await paidInto(accountId)).toEqual([])
  expect(await the.decide(await the.requested(intentId, uniqueReceipt()), true)).toBe(POSTED)
})

test('when operators agree to post two attempts by one receipt, one attempt is posted', async () => {
  const [first, second] = [await the.reported(), await the.reported()]
  const receipt = uniqueReceipt()
  const ids = [
    await the.requested(first.intentId, receipt),
    await the.requested(second.intentId, receipt),
  ]
  const outcomes = await Promise.all(ids.map((id) => the.decide(id, true)))
  expect(outcomes.toSorted()).toEqual([POSTED, ReportPostingOutcome.RECEIPT_POSTED].toSorted())
  for (const { intentId } of [first, second]) {
    if ((await at.pay.status(intentId)) !== IntentStatus.COMPLETED)
      await reports(at).close(intentId)
  }
})

test('a posting that another operator withdraws at the same moment is not agreed to', async () => {
  const attempt = await the.reported()
  const postingId = await the.requested(attempt.intentId, uniqueReceipt())
  const withdrawn = "UPDATE report_postings SET status = 'withdrawn', decided_by = $2 WHERE id = $1"
  const second = meanwhile(at, [withdrawn, [postingId, brian.operatorId]], () =>
    the.decide(postingId, true),
  )
  expect(await second).toBe(POSTING_DECIDED)
  await at.pay.paid(attempt)
})

test('the posting that a retired operator asked for is withdrawn, and another operator may ask for it anew', async () => {
  const { operatorId, calls } = await the.by.another('dalia')
  const { intentId } = await the.reported()
  const request = { intentId, receipt: uniqueReceipt(), amount: '500', note }
  const { postingId } = await calls.askReportPosting(request)
  await the.by.amina.askRetirement({ operatorId })
  await the.by.brian.decideRetirement({ operatorId, agreed: true })
  expect(await the.decide(present(postingId), true)).toBe(POSTING_DECIDED)
  expect(await the.decide(await the.requested(intentId, request.receipt), true)).toBe(POSTED)
})

test('the database itself refuses a posting by one operator, a changed receipt, and reopening', async () => {
  const { intentId } = await the.reported()
  const postingId = await the.requested(intentId, uniqueReceipt())
  const change = (sql: string) => at.database.pool.query(sql, [postingId])
  await expect(
    change("UPDATE report_postings SET status = 'posted', decided_by = asked_by WHERE id = $1"),
  ).rejects.toMatchObject({ constraint: 'report_postings_need_two' })
  await expect(
    change("UPDATE report_postings SET receipt = 'QK00000002' WHERE id = $1"),
  ).rejects.toThrow('it is what was agreed to')
  expect(await the.decide(postingId, true)).toBe(POSTED)
  await expect(change("UPDATE report_postings SET status = 'asked' WHERE id = $1")).rejects.toThrow(
    'it was decided',
  )
  await expect(change('DELETE FROM report_postings WHERE id = $1')).rejects.toThrow('never removed')
})

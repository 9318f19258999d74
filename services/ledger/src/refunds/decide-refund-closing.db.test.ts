import {
  DecideRefundClosingOutcome,
  EvidenceResult,
  FailureCause,
  IntentStatus,
  RefundEnd,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, present } from '../payments.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const agree = async (refundId: string, end: RefundEnd | undefined, who = by.brian) =>
  (await who.decideRefundClosing({ refundId, agreed: true, end, note })).outcome
const withdraw = async (refundId: string) =>
  (await by.amina.decideRefundClosing({ refundId, agreed: false, note })).outcome

/** A refund whose outcome is unknown, and that an operator asked to close. */
async function toClose(subject: string, end: RefundEnd) {
  const sent = await by.undecided(subject)
  await by.amina.askRefundClosing({ refundId: sent.refundId, end, note })
  return sent
}

const yes = confirmed({ providerRequestId: 'AG_1', receipt: 'REVERSAL01', amountMinor: 50_000n })
const no = {
  $case: 'declined',
  value: { cause: FailureCause.REFUSED, providerCode: '2001', providerRequestId: 'AG_1' },
} as const
const refundOf = async (subject: string) => present((await by.story(subject)).refunds[0])

test('a refund closed as paid is taken from the wallet and reverses its payment', async () => {
  const { subject, accountId, intentId } = await by.paid()
  const { refundId } = await toClose(subject, RefundEnd.PAID)
  expect(await agree(refundId, RefundEnd.PAID)).toBe(DecideRefundClosingOutcome.PAID)
  expect(await by.holder(subject)).toBeUndefined()
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
  expect(await at.pay.status(intentId)).toBe(IntentStatus.REVERSED)
  expect(await refundOf(subject)).toMatchObject({
    status: 'paid',
    closing: { end: RefundEnd.PAID, askedBy: 'amina', closedBy: 'brian' },
    contradicted: false,
  })
  expect((await by.story(subject)).actions.map(({ did }) => did).slice(2)).toEqual([
    'closing_asked',
    'closing_approved',
  ])
})

test('a refund closed as not paid leaves the money where it was, and can be requested again', async () => {
  const subject = await by.unmatched()
  const { refundId } = await toClose(subject, RefundEnd.FAILED)
  expect(await agree(refundId, RefundEnd.FAILED)).toBe(DecideRefundClosingOutcome.FAILED)
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  await by.requestedRefund(subject)
})

test('a closing needs a second operator, which the database enforces too; the one who requested it may withdraw', async () => {
  const { refundId } = await toClose(await by.unmatched(), RefundEnd.PAID)
  expect(await agree(refundId, RefundEnd.PAID, by.amina)).toBe(
    DecideRefundClosingOutcome.NEEDS_ANOTHER,
  )
  const sql = 'UPDATE refunds SET closed_by = closing_asked_by WHERE id = $1'
  await expect(at.database.pool.query(sql, [refundId])).rejects.toMatchObject({
    constraint: 'refunds_closing_needs_two',
  })
  expect(await withdraw(refundId)).toBe(DecideRefundClosingOutcome.WITHDRAWN)
  expect(await agree(refundId, RefundEnd.PAID)).toBe(DecideRefundClosingOutcome.NO_CLOSING)
  expect(await agree('rf_gone', RefundEnd.PAID)).toBe(DecideRefundClosingOutcome.REFUND_NOT_FOUND)
})

test('a closing that was withdrawn and requested as another end since it was read is not approved, and posts nothing', async () => {
  const subject = await by.unmatched()
  const { refundId } = await toClose(subject, RefundEnd.PAID)
  await withdraw(refundId)
  await by.amina.askRefundClosing({ refundId, end: RefundEnd.FAILED, note })
  expect(await agree(refundId, RefundEnd.PAID)).toBe(DecideRefundClosingOutcome.CLOSING_CHANGED)
  const open = await refundOf(subject)
  expect([open.status, open.closing?.closedBy]).toEqual(['submitted', undefined])
  expect(await agree(refundId, RefundEnd.FAILED)).toBe(DecideRefundClosingOutcome.FAILED)
})

test('an approval that names no end, as an earlier console sends it, is refused', async () => {
  const { refundId } = await toClose(await by.unmatched(), RefundEnd.PAID)
  await expect(agree(refundId, undefined)).rejects.toMatchObject({
    facts: { field: 'end' },
  })
})

test('a refund that the provider confirms before the second operator approves the closing is paid', async () => {
  const subject = await by.unmatched()
  const { refundId, callbackToken } = await toClose(subject, RefundEnd.FAILED)
  await by.messageArrives(callbackToken, yes)
  expect(await agree(refundId, RefundEnd.FAILED)).toBe(DecideRefundClosingOutcome.PROVIDER_DECIDED)
  expect((await refundOf(subject)).status).toBe('paid')
})

test('a closing that was approved cannot be changed', async () => {
  const { refundId } = await toClose(await by.unmatched(), RefundEnd.PAID)
  await agree(refundId, RefundEnd.PAID)
  expect(await agree(refundId, RefundEnd.PAID)).toBe(DecideRefundClosingOutcome.NO_CLOSING)
  const sql = `UPDATE refunds SET closing = 'failed' WHERE id = $1`
  await expect(at.database.pool.query(sql, [refundId])).rejects.toMatchObject({
    constraint: 'refunds_stay_closed',
  })
})

test('after a closing as paid the provider’s "yes" posts nothing more, and its "no" is shown as a contradiction', async () => {
  const subject = await by.unmatched()
  const { refundId, callbackToken } = await toClose(subject, RefundEnd.PAID)
  await agree(refundId, RefundEnd.PAID)
  expect((await by.messageArrives(callbackToken, yes)).result).toBe(EvidenceResult.KEPT)
  expect((await by.messageArrives(callbackToken, no, { body: Buffer.from('no') })).result).toBe(
    EvidenceResult.CONTRADICTION,
  )
  expect(await refundOf(subject)).toMatchObject({ status: 'paid', contradicted: true })
  expect((await by.story(subject)).transfers).toHaveLength(2)
})

test('after a closing as not paid the provider’s "yes" is posted once, and a second refund that was not sent is withdrawn', async () => {
  const subject = await by.unmatched()
  const { refundId, callbackToken } = await toClose(subject, RefundEnd.FAILED)
  await agree(refundId, RefundEnd.FAILED)
  const again = await by.requestedRefund(subject)
  expect((await by.messageArrives(callbackToken, yes)).result).toBe(EvidenceResult.SETTLED)
  expect(await by.holder(subject)).toBeUndefined()
  const { refunds, transfers } = await by.story(subject)
  expect(refunds.map(({ status }) => status)).toEqual(['paid', 'withdrawn'])
  expect(transfers).toHaveLength(2)
  expect((await at.ledger.beginRefund({ refundId: again })).order).toBeUndefined()
})

test('when a second refund was sent, the provider’s "yes" to the first is shown as a contradiction, and only the second is posted', async () => {
  const subject = await by.unmatched()
  const { refundId, callbackToken } = await toClose(subject, RefundEnd.FAILED)
  await agree(refundId, RefundEnd.FAILED)
  const second = await by.sent(subject, 'AG_2')
  expect((await by.messageArrives(callbackToken, yes)).result).toBe(EvidenceResult.CONTRADICTION)
  const paid = confirmed({ providerRequestId: 'AG_2', receipt: 'R2', amountMinor: 50_000n })
  expect((await by.messageArrives(second.callbackToken, paid)).result).toBe(EvidenceResult.SETTLED)
  const { refunds, transfers } = await by.story(subject)
  expect(refunds).toMatchObject([
    { status: 'failed', contradicted: true },
    { status: 'paid', contradicted: false },
  ])
  expect(transfers).toHaveLength(2)
})

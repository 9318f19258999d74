import {
  CheckoutStatus,
  DecideRefundOutcome,
  IntentStatus,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { transferSql } from '@malipo/testing/transfer-sql'
import { found } from '../invariants.harness'
import { ledgerOfFile } from '../ledger.harness'
import { insist } from '../payments.harness'
import { slowDown } from '../time.harness'
import { brian, enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const decide = async (refundId: string, agreed: boolean, who = by.brian) =>
  (await who.decideRefund({ refundId, agreed, note })).outcome

test('a refund needs another operator than the one who requested it', async () => {
  const refundId = await by.requestedRefund(await by.unmatched())
  expect(await decide(refundId, true, by.amina)).toBe(DecideRefundOutcome.NEEDS_ANOTHER)
  expect(await decide(refundId, true)).toBe(DecideRefundOutcome.APPROVED)
  expect(await decide(refundId, true)).toBe(DecideRefundOutcome.REFUND_DECIDED)
})

test('the database itself refuses a refund that one operator both requested and approved', async () => {
  const refundId = await by.requestedRefund(await by.unmatched())
  const sql = `UPDATE refunds SET status = 'approved', decided_by = asked_by WHERE id = $1`
  await expect(at.database.pool.query(sql, [refundId])).rejects.toMatchObject({
    constraint: 'refunds_need_two',
  })
})

test('a refund that skips a step is not refused by the database, and is found by the audit', async () => {
  const refundId = await by.requestedRefund(await by.unmatched())
  const skip = `UPDATE refunds SET status = 'submitted', decided_by = '${brian.operatorId}' WHERE id = '${refundId}'`
  expect(await found(at.database, skip, 16)).toEqual([refundId])
})

test('the database itself refuses to change a refund that was withdrawn or paid', async () => {
  const withdrawn = await by.requestedRefund(await by.unmatched())
  await decide(withdrawn, false, by.amina)
  const paid = await by.requestedRefund((await by.paid()).subject, RefundSender.PROVIDER)
  await decide(paid, true)
  for (const id of [withdrawn, paid]) {
    const again = `UPDATE refunds SET status = 'approved', decided_by = $2 WHERE id = $1`
    await expect(at.database.pool.query(again, [id, brian.operatorId])).rejects.toMatchObject({
      code: '23001',
    })
  }
})

test('the operator who requested a refund may withdraw it, and then nothing is sent', async () => {
  const refundId = await by.requestedRefund(await by.unmatched())
  expect(await decide(refundId, false, by.amina)).toBe(DecideRefundOutcome.WITHDRAWN)
  expect(await decide(refundId, true)).toBe(DecideRefundOutcome.REFUND_DECIDED)
  expect((await at.ledger.beginRefund({ refundId })).order).toBeUndefined()
  expect(await decide('rf_gone', true)).toBe(DecideRefundOutcome.REFUND_NOT_FOUND)
})

test('row 30: a reversal that the provider made is posted from the wallet, and the checkout stays completed', async () => {
  const { subject, checkoutId, accountId, intentId } = await by.paid()
  const refundId = await by.requestedRefund(subject, RefundSender.PROVIDER)
  expect(await decide(refundId, true)).toBe(DecideRefundOutcome.PAID)
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
  expect(await by.holder(subject)).toBeUndefined()
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  expect(checkout).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { intentId, status: IntentStatus.REVERSED, amountSettledMinor: 50_000n },
  })
})

test('row 30: a merchant whose wallet holds less than the refund owes the rest', async () => {
  const first = await by.paid()
  const { checkoutId } = await at.pay.checkout({
    accountId: first.accountId,
    amountMinor: 20_000n,
  })
  const second = await at.pay.pending(checkoutId)
  await at.pay.paid(second, { receipt: 'SECOND0001' })
  // Empties the wallet by a posting: the product has no payouts yet.
  await at.database.pool.query(
    transferSql(
      `spent:${first.accountId}`,
      `wallet:${first.accountId}`,
      'suspense:unmatched',
      60000,
    ),
  )
  await decide(await by.requestedRefund(first.subject, RefundSender.PROVIDER), true)
  expect(await by.balance(`wallet:${first.accountId}`)).toBe('0')
  expect(await by.balance(`receivable:${first.accountId}`)).toBe('-40000')
  await at.database.pool.query(
    transferSql(
      `unspent:${first.accountId}`,
      'suspense:unmatched',
      `wallet:${first.accountId}`,
      60000,
    ),
  )
})

test('refunds that are posted at the same moment take no more than the wallet has, and the owner owes the rest', async () => {
  const accountId = await at.pay.merchant()
  const answer = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const { checkoutId } = await at.pay.checkout({ accountId })
      const receipt = `MANY00000${String(index)}`
      await at.pay.paid(await at.pay.pending(checkoutId), { receipt })
      return by.requestedRefund(`mpesa:${receipt}`, RefundSender.PROVIDER)
    }),
  )
  const [wallet, elsewhere] = [`wallet:${accountId}`, 'suspense:unmatched']
  const move = (event: string, from: string, to: string) =>
    at.database.pool.query(transferSql(event + accountId, from, to, 150_000))
  // The wallet keeps the money of one of the four payments.
  await move('spent:', wallet, elsewhere)
  await slowDown(at.database, 'transfers')
  await Promise.all(answer.map((refundId) => insist(() => decide(refundId, true))))
  expect(await by.balance(wallet)).toBe('0')
  expect(await by.balance(`receivable:${accountId}`)).toBe('-150000')
  await move('unspent:', elsewhere, wallet)
})

import {
  AskRefundClosingOutcome,
  RefundEnd,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const ask = async (refundId: string, end: RefundEnd = RefundEnd.PAID) =>
  (await by.amina.askRefundClosing({ refundId, end, note })).outcome

test('a refund that is still queried at the provider is not closed by hand', async () => {
  const { refundId } = await by.sent(await by.unmatched())
  expect(await ask(refundId)).toBe(AskRefundClosingOutcome.STILL_ASKED)
})

test('the closing of a refund may be asked for once, three days after it was sent, and moves nothing', async () => {
  const subject = await by.unmatched()
  const { refundId } = await by.undecided(subject)
  expect(await ask(refundId)).toBe(AskRefundClosingOutcome.ASKED)
  expect(await ask(refundId)).toBe(AskRefundClosingOutcome.CLOSING_UNDERWAY)
  expect(await by.story(subject)).toMatchObject({
    holder: 'suspense:unmatched',
    refunds: [{ status: 'submitted', closing: { end: RefundEnd.PAID, askedBy: 'amina' } }],
    actions: [{}, {}, { did: 'closing_asked', operator: 'amina', note: 'paid: the payer called' }],
  })
})

test('refuses to close a refund that was never sent, or does not exist', async () => {
  const answer = await by.requestedRefund(await by.unmatched())
  expect(await ask(answer)).toBe(AskRefundClosingOutcome.NOT_SENT_OR_DECIDED)
  expect(await ask('rf_gone')).toBe(AskRefundClosingOutcome.REFUND_NOT_FOUND)
})

test.each(['end', 'note'])('refuses a closing without its %s', async (field) => {
  const request = {
    refundId: 'rf_1',
    end: RefundEnd.PAID,
    note,
    [field]: field === 'end' ? RefundEnd.UNSPECIFIED : ' ',
  }
  await expect(by.amina.askRefundClosing(request)).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field },
  })
})

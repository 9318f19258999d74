import { AskRefundOutcome, RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const ask = (subject: string, sentBy: RefundSender = RefundSender.US) =>
  by.amina.askRefund({ subject, sentBy, note })

test('asking for a refund moves nothing, and is kept with who asked and why', async () => {
  const subject = await by.unmatched()
  const { outcome, refundId } = await ask(subject)
  expect(outcome).toBe(AskRefundOutcome.ASKED)
  const { holder, refunds, actions } = await by.story(subject)
  expect(holder).toBe('suspense:unmatched')
  expect(refunds).toMatchObject([{ refundId, status: 'asked', askedBy: 'amina', minor: 50_000n }])
  expect(actions).toMatchObject([{ did: 'refund_asked', note: 'the payer called' }])
})

test('a refund of a receipt is asked for once at a time, also by many at the same moment', async () => {
  const subject = await by.unmatched()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ask(subject)))
  expect(outcomes.filter(({ outcome }) => outcome === AskRefundOutcome.ASKED)).toHaveLength(1)
  const refundId = outcomes.find((one) => one.refundId !== undefined)?.refundId ?? ''
  await by.brian.decideRefund({ refundId, agreed: false, note })
  expect((await ask(subject)).outcome).toBe(AskRefundOutcome.ASKED)
})

test('refuses to refund a receipt that never came, or that was refunded', async () => {
  expect((await ask('mpesa:NEVER00001')).outcome).toBe(AskRefundOutcome.NOTHING_TO_REFUND)
  const subject = await by.unmatched()
  await by.agreed(await by.requestedRefund(subject, RefundSender.PROVIDER))
  expect((await ask(subject)).outcome).toBe(AskRefundOutcome.NOTHING_TO_REFUND)
})

test('refuses a refund without its sender', async () => {
  const subject = await by.unmatched()
  await expect(ask(subject, RefundSender.UNSPECIFIED)).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'sent_by' },
  })
})

import {
  AskRefundOutcome,
  ProviderMessageKind,
  Rail,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed } from '../payments.harness'
import { letPass } from '../time.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)
const uganda = ledgerOfFile({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })
const byInUganda = enrolledOperators(uganda)

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

/** A payment in Uganda by a rail, with the receipt given. */
async function paidInUganda(rail: Rail, receipt: string): Promise<void> {
  const { checkoutId } = await uganda.pay.checkout({ amountMinor: 500_000n })
  const { intent } = await uganda.pay.start(checkoutId, { rail })
  const { intentId } = await uganda.pay.prompted(intent)
  const messageId = await uganda.pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER, rail)
  const fact = confirmed({ receipt, amountMinor: 500_000n })
  await uganda.ledger.applyEvidence({ messageId, fact })
}

test('refuses to send a refund by a rail that sends none, and takes one that its provider already made', async () => {
  await paidInUganda(Rail.MTN_MOMO, '1432942836')
  const subject = 'mtn_momo:1432942836'
  const askOfMtn = (sentBy: RefundSender) => byInUganda.amina.askRefund({ subject, sentBy, note })
  expect(await askOfMtn(RefundSender.US)).toMatchObject({
    outcome: AskRefundOutcome.RAIL_WITHOUT_REFUNDS,
    refundId: undefined,
  })
  const { refunds, actions } = await byInUganda.story(subject)
  expect([refunds, actions]).toEqual([[], []])
  expect((await askOfMtn(RefundSender.PROVIDER)).outcome).toBe(AskRefundOutcome.ASKED)
})

test('refuses to send a refund by a rail by which none of the workers of late sends any', async () => {
  const subject = await by.unmatched()
  const claimAs = (...rails: Rail[]) => at.ledger.claimDue({ limit: 1, refundRails: { rails } })
  await claimAs()
  await claimAs(Rail.CARD)
  expect((await ask(subject)).outcome).toBe(AskRefundOutcome.RAIL_WITHOUT_REFUNDS)
  expect((await ask(subject, RefundSender.PROVIDER)).outcome).toBe(AskRefundOutcome.ASKED)
  await claimAs(Rail.MPESA, Rail.CARD)
  expect((await ask(await by.unmatched())).outcome).toBe(AskRefundOutcome.ASKED)
})

test('takes a refund where workers name no rails of refunds, as those of an earlier release do not', async () => {
  await letPass(at.database, 601)
  await at.ledger.claimDue({ limit: 1 })
  expect((await ask(await by.unmatched())).outcome).toBe(AskRefundOutcome.ASKED)
  await at.ledger.claimDue({ limit: 1, refundRails: { rails: [] } })
  const later = await by.unmatched()
  expect((await ask(later)).outcome).toBe(AskRefundOutcome.RAIL_WITHOUT_REFUNDS)
  await letPass(at.database, 601)
  expect((await ask(later)).outcome).toBe(AskRefundOutcome.ASKED)
})

test('sends a refund by a rail that does', async () => {
  await paidInUganda(Rail.AIRTEL_MONEY, 'MP2106031234L06941')
  const subject = 'airtel_money:MP2106031234L06941'
  const { outcome } = await byInUganda.amina.askRefund({ subject, sentBy: RefundSender.US, note })
  expect(outcome).toBe(AskRefundOutcome.ASKED)
})

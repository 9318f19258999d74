import {
  DecideRefundClosingOutcome,
  DecideRefundOutcome,
  EvidenceResult,
  RefundEnd,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, insist, uniqueReceipt } from '../payments.harness'
import { slowDown } from '../time.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

beforeAll(async () => {
  await slowDown(at.database, 'transfers')
})

const rounds = 6
const yes = confirmed({ providerRequestId: 'AG_1', receipt: 'REVERSAL01', amountMinor: 50_000n })

async function legs(subject: string): Promise<number> {
  return (await by.story(subject)).transfers.filter(({ eventKey }) =>
    eventKey.startsWith('refunded:'),
  ).length
}

test('two operators who approve a refund at the same moment post it once', async () => {
  const { calls: carol } = await by.another('carol')
  for (let round = 0; round < rounds; round += 1) {
    const { subject, accountId } = await by.paid()
    const refundId = await by.requestedRefund(subject, RefundSender.PROVIDER)
    const decisions = await Promise.all(
      [by.brian, carol, by.brian, carol].map((who) =>
        insist(() => who.decideRefund({ refundId, agreed: true, note })),
      ),
    )
    const outcomes = decisions.map(({ outcome }) => outcome).sort()
    const { PAID, REFUND_DECIDED } = DecideRefundOutcome
    expect(outcomes).toEqual([PAID, REFUND_DECIDED, REFUND_DECIDED, REFUND_DECIDED].sort())
    expect(await legs(subject)).toBe(1)
    expect(await by.balance(`wallet:${accountId}`)).toBe('0')
  }
})

test('a refund that is approved and withdrawn at the same moment ends withdrawn, and is not sent', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const subject = await by.unmatched()
    const refundId = await by.requestedRefund(subject)
    const decisions = await Promise.all([
      insist(() => by.brian.decideRefund({ refundId, agreed: true, note })),
      insist(() => by.amina.decideRefund({ refundId, agreed: false, note })),
    ])
    const { APPROVED, REFUND_DECIDED, WITHDRAWN } = DecideRefundOutcome
    // An approved refund can still be withdrawn, and not the other way round.
    expect([
      [APPROVED, WITHDRAWN],
      [REFUND_DECIDED, WITHDRAWN],
    ]).toContainEqual(decisions.map(({ outcome }) => outcome))
    expect((await by.story(subject)).refunds[0]?.status).toBe('withdrawn')
    expect((await at.ledger.beginRefund({ refundId })).order).toBeUndefined()
  }
})

test('a refund that is withdrawn while a worker takes it is either sent or withdrawn, and never both', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const subject = await by.unmatched()
    const refundId = await by.requestedRefund(subject)
    await by.agreed(refundId)
    const [decided, begun] = await Promise.all([
      insist(() => by.amina.decideRefund({ refundId, agreed: false, note })),
      insist(() => at.ledger.beginRefund({ refundId })),
    ])
    const isSent = begun.order !== undefined
    const { REFUND_DECIDED, WITHDRAWN } = DecideRefundOutcome
    expect(decided.outcome).toBe(isSent ? REFUND_DECIDED : WITHDRAWN)
    const { status } = (await by.story(subject)).refunds[0] ?? {}
    expect(status).toBe(isSent ? 'submitted' : 'withdrawn')
  }
})

test('a refund that is closed as paid while the provider confirms it is posted once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const subject = await by.unmatched()
    const { refundId, callbackToken } = await by.undecided(subject)
    await by.amina.askRefundClosing({ refundId, end: RefundEnd.PAID, note })
    const messageId = await at.pay.callback(callbackToken)
    const [closed, applied] = await Promise.all([
      insist(() =>
        by.brian.decideRefundClosing({ refundId, agreed: true, end: RefundEnd.PAID, note }),
      ),
      insist(() => at.ledger.applyEvidence({ messageId, fact: yes })),
    ])
    const { PAID, PROVIDER_DECIDED } = DecideRefundClosingOutcome
    expect([
      [PAID, EvidenceResult.KEPT],
      [PROVIDER_DECIDED, EvidenceResult.SETTLED],
    ]).toContainEqual([closed.outcome, applied.result])
    expect(await legs(subject)).toBe(1)
  }
})

test('a refund and a second receipt of the same checkout, at the same moment, are both posted', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { subject, ...attempt } = await by.paid()
    const refundId = await by.requestedRefund(subject, RefundSender.PROVIDER)
    const receipt = uniqueReceipt()
    await Promise.all([
      insist(() => by.agreed(refundId)),
      insist(() => at.pay.paid(attempt, { receipt })),
    ])
    expect(await at.pay.status(attempt.intentId)).toBe('INTENT_STATUS_REVERSED')
    expect(await by.holder(subject)).toBeUndefined()
    expect(await by.holder(`mpesa:${receipt}`)).toBe('suspense:duplicate')
  }
})

import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('lists money in suspense, oldest first, with reason, checkout and refund, until it is placed or refunded', async () => {
  expect(await at.ledger.listSuspense({ limit: 10 })).toMatchObject({ items: [], total: 0 })
  const unmatched = await by.unmatched(70_000n)
  const mismatch = await by.mismatch(40_000n)
  const refundId = await by.requestedRefund(unmatched)
  expect(await at.ledger.listSuspense({ limit: 1 })).toMatchObject({
    items: [
      {
        subject: unmatched,
        reason: 'unmatched',
        amount: { minor: 70_000n, currency: 'KES' },
        refundId,
        refundSentBy: 'REFUND_SENDER_US',
      },
    ],
    total: 2,
    totalMinor: 110_000n,
  })
  const { items } = await at.ledger.listSuspense({ limit: 10 })
  expect(items[1]).toMatchObject({
    subject: mismatch.subject,
    reason: 'mismatch',
    checkoutId: mismatch.checkoutId,
    refundId: undefined,
  })
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  const { placementId = '' } = await by.amina.askPlacement({
    subject: mismatch.subject,
    owner,
    note,
  })
  const waiting = (await at.ledger.listSuspense({ limit: 10 })).items
  expect(waiting[1]).toMatchObject({ subject: mismatch.subject, placementId })
  await by.brian.decidePlacement({ placementId, agreed: true, note })
  expect((await at.ledger.listSuspense({ limit: 10 })).items).toHaveLength(1)
})

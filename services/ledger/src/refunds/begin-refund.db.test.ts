import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('hands a refund to one caller, however many ask', async () => {
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  expect((await at.ledger.beginRefund({ refundId })).order).toBeUndefined()
  await by.agreed(refundId)
  const begun = await Promise.all(
    Array.from({ length: 20 }, () => at.ledger.beginRefund({ refundId })),
  )
  const orders = begun.flatMap(({ order }) => (order === undefined ? [] : [order]))
  expect(orders).toMatchObject([
    {
      rail: 'RAIL_MPESA',
      receipt: subject.slice('mpesa:'.length),
      amount: { minor: 50_000n, currency: 'KES' },
      providerRequestId: undefined,
    },
  ])
  expect((await by.story(subject)).refunds[0]?.status).toBe('submitted')
})

test('an approved refund is due at once, and leased to one worker', async () => {
  const refundId = await by.requestedRefund(await by.unmatched())
  await by.agreed(refundId)
  const claimed = await Promise.all([
    at.ledger.claimDue({ limit: 100 }),
    at.ledger.claimDue({ limit: 100 }),
  ])
  const works = claimed.flatMap(({ due }) => due.map(({ work }) => work))
  expect(works.filter((work) => work?.value === refundId)).toEqual([
    { $case: 'sendRefundId', value: refundId },
  ])
})

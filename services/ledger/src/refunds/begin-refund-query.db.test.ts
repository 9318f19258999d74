import { ledgerOfFile } from '../ledger.harness'
import { past } from '../time.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('a refund without an answer is queried after a minute, by the provider’s id for it', async () => {
  const { refundId, queryToken, receipt } = await by.sent(await by.unmatched(), 'AG_77')
  expect((await at.ledger.beginRefundQuery({ refundId })).order).toBeUndefined()
  await past(at.database, async (query) => {
    await query(`UPDATE refunds SET next_action_at = now() WHERE id = $1`, [refundId])
  })
  const { due } = await at.ledger.claimDue({ limit: 100 })
  expect(due.map(({ work }) => work)).toContainEqual({ $case: 'queryRefundId', value: refundId })
  expect((await at.ledger.beginRefundQuery({ refundId })).order).toMatchObject({
    receipt,
    queryToken,
    providerRequestId: 'AG_77',
  })
  expect((await at.ledger.beginRefundQuery({ refundId })).order).toBeUndefined()
})

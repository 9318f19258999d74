import {
  type RecordRefundRequest,
  FailureCause,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const refused = { cause: FailureCause.REFUSED, providerCode: '2001' }
const outcomes: readonly (readonly [RecordRefundRequest['outcome'], string])[] = [
  [{ $case: 'accepted', value: { providerRequestId: 'AG_1' } }, 'submitted'],
  [{ $case: 'unknown', value: { detail: 'ECONNRESET' } }, 'submitted'],
  [{ $case: 'notSent', value: { detail: 'ECONNREFUSED' } }, 'failed'],
  [{ $case: 'refused', value: refused }, 'failed'],
]

test.each(outcomes)(
  'the call outcome %j leaves the refund %s, and its money where it was',
  async (outcome, status) => {
    const subject = await by.unmatched()
    const refundId = await by.requestedRefund(subject)
    await by.agreed(refundId)
    await at.ledger.beginRefund({ refundId })
    expect(await at.ledger.recordRefund({ refundId, outcome })).toEqual({ status })
    expect(await by.holder(subject)).toBe('suspense:unmatched')
    // A refund is never sent again, whatever its state.
    expect((await at.ledger.beginRefund({ refundId })).order).toBeUndefined()
  },
)

test('refuses an unknown refund', async () => {
  const outcome = { $case: 'unknown', value: { detail: '' } } as const
  await expect(at.ledger.recordRefund({ refundId: 'rf_gone', outcome })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})

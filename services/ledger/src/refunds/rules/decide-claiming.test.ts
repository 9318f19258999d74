import { refundStatuses } from './refund'
import { later } from '../../evidence/rules/state'
import { claimRefunds } from './decide-claiming'
import { now } from './refunds.harness'

test('an approved refund is due to be sent and a sent one to be queried, and no other is due', () => {
  const due = refundStatuses.map((status) => ({ id: `rf_${status}`, status }))
  const leased = later(now, 5)
  expect(claimRefunds(now, due, 5)).toEqual({
    applied: [
      { kind: 'refund', id: 'rf_approved' },
      { kind: 'refund_query', id: 'rf_submitted' },
      { kind: 'refund_query', id: 'rf_failed' },
    ],
    writes: [
      { id: 'rf_asked', nextActionAt: null },
      { id: 'rf_approved', nextActionAt: leased },
      { id: 'rf_submitted', nextActionAt: leased },
      { id: 'rf_paid', nextActionAt: null },
      { id: 'rf_failed', nextActionAt: leased },
      { id: 'rf_withdrawn', nextActionAt: null },
    ],
  })
})

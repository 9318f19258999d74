import { refundStatuses } from './refund'
import { later } from '../../evidence/rules/state'
import {
  beginRefund,
  beginRefundQuery,
  recordRefund,
  type RefundCall,
  claimRefunds,
} from './decide-sending'
import { type Changes, now, sent, stateOf } from './refunds.harness'

const state = (refund: Changes['refund']) => stateOf({ refund: refund ?? {} })
const moneyless = { transfers: [], intents: [] }

test('an approved refund is handed out once, and counts as sent from then on', () => {
  const approved = { ...sent, status: 'approved', submittedAt: null, nextActionAt: now } as const
  const begun = { ...approved, status: 'submitted', submittedAt: now, nextActionAt: later(now, 60) }
  expect(beginRefund(state(approved))).toEqual({
    applied: begun,
    writes: { ...moneyless, refunds: [begun] },
  })
})

test.each(refundStatuses.filter((status) => status !== 'approved'))(
  'a refund that is %s is not handed out to be sent',
  (status) => {
    expect(beginRefund(state({ status }))).toEqual({ applied: undefined })
  },
)

test.each(['submitted', 'failed'] as const)(
  'a refund that is %s is queried when it is due, or up to ten seconds earlier',
  (status) => {
    const due = { status, nextActionAt: later(now, 10) }
    const request = { ...sent, ...due, nextActionAt: later(now, 60) }
    expect(beginRefundQuery(state(due))).toEqual({
      applied: request,
      writes: { ...moneyless, refunds: [request] },
    })
    expect(beginRefundQuery(state({ status, nextActionAt: later(now, 11) }))).toEqual({
      applied: undefined,
    })
    expect(beginRefundQuery(state({ status, nextActionAt: null }))).toEqual({ applied: undefined })
  },
)

test('a refund that was not sent or was paid is not queried', () => {
  for (const status of ['asked', 'approved', 'paid', 'withdrawn'] as const) {
    expect(beginRefundQuery(state({ status, nextActionAt: now }))).toEqual({ applied: undefined })
  }
})

const askedAgainAt = (submittedAt: number | null) =>
  beginRefundQuery(state({ status: 'submitted', nextActionAt: now, submittedAt })).applied
    ?.nextActionAt

test.each([
  [0, 60],
  [400, 100],
  [20_000, 3_600],
  [255_599, 3_600],
  [255_600, null],
])('queries a refund that was sent %d s ago once more %p s later', (age, seconds) => {
  expect(askedAgainAt(later(now, -age))).toBe(seconds === null ? null : later(now, seconds))
})

test('does not query a refund without a time of sending', () => {
  expect(askedAgainAt(null)).toBeNull()
})

const record = (call: RefundCall, refund: Changes['refund'] = {}) => {
  const { applied, writes } = recordRefund(state(refund), call)
  return { status: applied, refund: writes?.refunds[0] }
}

const calls = ['accepted', 'unknown', 'refused', 'not_sent'] as const

test.each(calls.slice(0, 2))(
  'a call with the outcome %s leaves a refund in its status',
  (outcome) => {
    for (const status of refundStatuses) {
      const call = { outcome, providerRequestId: 'AG_9', providerCode: '0' }
      expect(record(call, { status, providerRequestId: null })).toEqual({
        status,
        refund: { ...sent, status, providerRequestId: 'AG_9', providerCode: '0' },
      })
    }
  },
)

test.each(calls.slice(2))(
  'a call with the outcome %s fails a refund that was sent, and no other',
  (outcome) => {
    for (const status of refundStatuses) {
      const isEnded = status === 'submitted'
      const next = isEnded ? 'failed' : status
      expect(record({ outcome, providerCode: '2001' }, { status, endedAt: null })).toEqual({
        status: next,
        refund: {
          ...{ ...sent, status: next, providerCode: '2001' },
          ...{ endedAt: isEnded ? now : null, nextActionAt: null },
        },
      })
    }
  },
)

test('the first request id of the provider stays, and its code stays until a later call brings another', () => {
  const refund = record({ outcome: 'accepted', providerRequestId: 'AG_9' }, { providerCode: '7' })
  expect(refund).toMatchObject({ refund: { providerRequestId: 'AG_1', providerCode: '7' } })
  const unnamed = record({ outcome: 'unknown' }, { providerRequestId: null })
  expect(unnamed).toMatchObject({ refund: { providerRequestId: null, providerCode: null } })
})

test('an approved refund is due to be sent, a submitted or failed one to be queried, and no other is due', () => {
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

import { refundStatuses } from './refund'
import { askRefund, type RefundRequest } from './decide-asking'
import { now } from './refunds.harness'
import type { ReceiptState } from './state'

const request: RefundRequest = {
  ...{ refundId: 'rf_1', subject: 'card:pi_1-1', sentBy: 'us', callbackSecret: 's' },
  ...{ operator: 'op_1', note: 'the payer called' },
}

const paid: ReceiptState = {
  ...{ now, money: { holder: 'wallet:acc_1', minor: 50_000n, feeMinor: 1_800n }, refunds: [] },
  isSentByWorkers: true,
}

const writes = {
  refund: {
    ...{ id: 'rf_1', subject: 'card:pi_1-1', minor: 51_800n, sentBy: 'us' },
    ...{ status: 'asked', askedBy: 'op_1', callbackSecret: 's' },
  },
  action: {
    ...{ operator: 'op_1', did: 'refund_asked', subject: 'card:pi_1-1', note: 'the payer called' },
  },
}

test('a refund is requested for amount and fee, with the requester and the reason', () => {
  expect(askRefund(paid, request)).toEqual({ outcome: 'asked', writes })
})

test('a refund is refused for a receipt that was never posted or was refunded', () => {
  const nothing = { outcome: 'nothing_to_refund' }
  expect(askRefund({ ...paid, money: undefined }, request)).toEqual(nothing)
  const money = { holder: null, minor: 50_000n, feeMinor: 0n }
  expect(askRefund({ ...paid, money }, request)).toEqual(nothing)
})

test('a refund that no worker sends is refused, unless the provider has made it', () => {
  const unsent = { ...paid, isSentByWorkers: false }
  expect(askRefund(unsent, request)).toEqual({ outcome: 'rail_without_refunds' })
  expect(askRefund(unsent, { ...request, sentBy: 'provider' }).outcome).toBe('asked')
})

test.each(refundStatuses)(
  'a refund may be requested only beside one that has failed or was withdrawn: %s',
  (status) => {
    const isAsked = status === 'failed' || status === 'withdrawn'
    const answer = isAsked ? { outcome: 'asked', writes } : { outcome: 'refund_underway' }
    expect(askRefund({ ...paid, refunds: [status] }, request)).toEqual(answer)
    expect(askRefund({ ...paid, refunds: ['failed', status, 'withdrawn'] }, request)).toEqual(
      answer,
    )
  },
)

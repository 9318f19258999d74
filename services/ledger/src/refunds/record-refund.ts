import type { RecordRefundRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import { recordRefund as record, type RefundCall } from './rules/decide-sending'
import { actOnRefund } from './store/apply'

/** Records how the call to the provider ended. A refund that may have reached the provider is queried, and never sent again. */
export function recordRefund(deps: Ledger): Operation<'recordRefund'> {
  return async ({ refundId, outcome }) => {
    const call = readCall(outcome)
    const status = await actOnRefund(deps.pool, refundId, (state) => record(state, call))
    if (status === undefined) throw new Fault('invalid_request', { field: 'refund_id' })
    if (status === 'failed') {
      notableEvents.inc({ name: 'refund_failed' })
      deps.log.error({ refundId, outcome: outcome?.$case }, 'a refund was not taken')
    }
    return { status }
  }
}

function readCall(outcome: RecordRefundRequest['outcome']): RefundCall {
  switch (outcome?.$case) {
    case 'accepted':
      return { outcome: 'accepted', providerRequestId: outcome.value.providerRequestId }
    case 'refused':
      return { outcome: 'refused', providerCode: outcome.value.providerCode }
    case 'notSent':
      return { outcome: 'not_sent', providerCode: outcome.value.detail.slice(0, 64) }
    case 'unknown':
      return { outcome: 'unknown', providerCode: outcome.value.detail.slice(0, 64) }
    case undefined:
      throw new Fault('invalid_request', { field: 'outcome' })
  }
}

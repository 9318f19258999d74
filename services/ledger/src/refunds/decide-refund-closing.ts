import type { DecideRefundClosingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decideRefundClosing as decide } from './rules/decide-by-hand'
import { actOnRefund } from './store/apply'

/** Agrees to a closing that another operator asked for, or withdraws it. */
export function decideRefundClosing(deps: Ledger): Operation<'decideRefundClosing'> {
  return deps.acts.signed(async (request: DecideRefundClosingRequest, operator) => {
    const { refundId, agreed: isAgreed } = request
    const end = request.end && wordOf('REFUND_END', request.end)
    if (isAgreed && end === undefined) throw new Fault('invalid_request', { field: 'end' })
    const act = { operator: operator.operatorId, note: readNote(request) }
    const decided = await actOnRefund(deps.pool, refundId, (state) =>
      decide(state, { isAgreed, end, ...act }),
    )
    const outcome = decided ?? 'refund_not_found'
    deps.log.warn({ refundId, operator: operator.name, outcome }, 'refund closing')
    return { outcome: wireOf('DECIDE_REFUND_CLOSING_OUTCOME', outcome) }
  })
}

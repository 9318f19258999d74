import type { DecideRefundRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decideRefund as decide } from './rules/decide-by-hand'
import { actOnRefund } from './store/apply'

/** Agrees to a refund that another operator asked for, or withdraws it. */
export function decideRefund(deps: Ledger): Operation<'decideRefund'> {
  return deps.acts.signed(async (request: DecideRefundRequest, operator) => {
    const { refundId, agreed: isAgreed } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const decided = await actOnRefund(deps.pool, refundId, (state) =>
      decide(state, { isAgreed, ...act }),
    )
    const outcome = decided ?? 'refund_not_found'
    deps.log.warn({ refundId, operator: operator.name, outcome }, 'refund')
    return { outcome: wireOf('DECIDE_REFUND_OUTCOME', outcome) }
  })
}

import type { AskRefundClosingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { askRefundClosing as ask } from './rules/decide-by-hand'
import { actOnRefund } from './store/apply'

/** Asks to record the end of a refund that the provider never reported as ended. */
export function askRefundClosing(deps: Ledger): Operation<'askRefundClosing'> {
  return deps.acts.signed(async (request: AskRefundClosingRequest, operator) => {
    const { refundId } = request
    const end = wordOf('REFUND_END', request.end)
    if (end === undefined) throw new Fault('invalid_request', { field: 'end' })
    const act = { operator: operator.operatorId, note: readNote(request) }
    const decided = await actOnRefund(deps.pool, refundId, (state) => ask(state, { end, ...act }))
    const outcome = decided ?? 'refund_not_found'
    deps.log.warn({ refundId, end, operator: operator.name, outcome }, 'refund closing')
    return { outcome: wireOf('ASK_REFUND_CLOSING_OUTCOME', outcome) }
  })
}

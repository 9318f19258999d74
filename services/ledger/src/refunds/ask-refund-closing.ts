import type {
  AskRefundClosingRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { readNote, type Acts } from '../operators/signed'
import { askRefundClosing as ask } from './rules/decide-by-hand'
import { actOnRefund } from './store/apply'

export interface AskRefundClosingDeps extends Pick<SharedDatabase, 'pool'> {
  readonly acts: Acts
  readonly log: Log
}

/** Asks to record the end of a refund that the provider never reported as ended. */
export function askRefundClosing(
  deps: AskRefundClosingDeps,
): Operations<LedgerServiceServer>['askRefundClosing'] {
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

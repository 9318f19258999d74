import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { askRefundClosing as ask } from '../store/refund-closings'
import { readAct } from './read-request'

export interface AskRefundClosingDeps {
  readonly db: Database
  readonly log: Log
}

/** Asks to write down how a refund ended that the provider never told the end of. */
export function askRefundClosing(
  deps: AskRefundClosingDeps,
): Operations<LedgerServiceServer>['askRefundClosing'] {
  return async (request) => {
    const { refundId } = request
    const end = wordOf('REFUND_END', request.end)
    if (end === undefined) throw new Fault('invalid_request', { field: 'end' })
    const act = readAct(request)
    const outcome = await ask(deps.db, { refundId, end, ...act })
    deps.log.warn({ refundId, end, operator: act.operator, outcome }, 'refund closing')
    return { outcome: wireOf('ASK_REFUND_CLOSING_OUTCOME', outcome) }
  }
}

import type {
  AskRefundClosingRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { askRefundClosing as ask } from '../store/refund-closings'
import { readNote } from './read-request'
import type { Acts } from './signed'

export interface AskRefundClosingDeps {
  readonly db: Database
  readonly acts: Acts
  readonly log: Log
}

/** Asks to write down how a refund ended that the provider never told the end of. */
export function askRefundClosing(
  deps: AskRefundClosingDeps,
): Operations<LedgerServiceServer>['askRefundClosing'] {
  return deps.acts.signed(async (request: AskRefundClosingRequest, operator) => {
    const { refundId } = request
    const end = wordOf('REFUND_END', request.end)
    if (end === undefined) throw new Fault('invalid_request', { field: 'end' })
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await ask(deps.db, { refundId, end, ...act })
    deps.log.warn({ refundId, end, operator: operator.name, outcome }, 'refund closing')
    return { outcome: wireOf('ASK_REFUND_CLOSING_OUTCOME', outcome) }
  })
}

import type {
  DecideRefundClosingRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { decideRefundClosing as decide } from '../store/refund-closings'
import { readNote } from './read-request'
import type { Acts } from './signed'

export interface DecideRefundClosingDeps {
  readonly db: Database
  readonly acts: Acts
  readonly log: Log
}

/** Agrees to a closing that another operator asked for, or withdraws it. */
export function decideRefundClosing(
  deps: DecideRefundClosingDeps,
): Operations<LedgerServiceServer>['decideRefundClosing'] {
  return deps.acts.signed(async (request: DecideRefundClosingRequest, operator) => {
    const { refundId, agreed: isAgreed } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await decide(deps.db, { refundId, isAgreed, ...act })
    deps.log.warn({ refundId, operator: operator.name, outcome }, 'refund closing')
    return { outcome: wireOf('DECIDE_REFUND_CLOSING_OUTCOME', outcome) }
  })
}

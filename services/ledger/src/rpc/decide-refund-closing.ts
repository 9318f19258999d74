import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { decideRefundClosing as decide } from '../store/refund-closings'
import { readAct } from './read-request'

export interface DecideRefundClosingDeps {
  readonly db: Database
  readonly log: Log
}

/** Agrees to a closing that another person asked for, or withdraws it. */
export function decideRefundClosing(
  deps: DecideRefundClosingDeps,
): Operations<LedgerServiceServer>['decideRefundClosing'] {
  return async (request) => {
    const { refundId, agreed: isAgreed } = request
    const act = readAct(request)
    const outcome = await decide(deps.db, { refundId, isAgreed, ...act })
    deps.log.warn({ refundId, operator: act.operator, outcome }, 'refund closing')
    return { outcome: wireOf('DECIDE_REFUND_CLOSING_OUTCOME', outcome) }
  }
}

import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { decideRefund as decide } from '../store/refunds'
import { readAct } from './read-request'

export interface DecideRefundDeps {
  readonly db: Database
  readonly log: Log
}

/** Agrees to a refund that another person asked for, or withdraws it. */
export function decideRefund(
  deps: DecideRefundDeps,
): Operations<LedgerServiceServer>['decideRefund'] {
  return async (request) => {
    const { refundId, agreed: isAgreed } = request
    const act = readAct(request)
    const outcome = await decide(deps.db, { refundId, isAgreed, ...act })
    deps.log.warn({ refundId, operator: act.operator, outcome }, 'refund')
    return { outcome: wireOf('DECIDE_REFUND_OUTCOME', outcome) }
  }
}

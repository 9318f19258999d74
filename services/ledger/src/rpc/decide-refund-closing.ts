import {
  DecideRefundClosingOutcome as WireOutcome,
  type LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { decideRefundClosing as decide, type DecideClosingOutcome } from '../store/refund-closings'
import { readAct } from './read-request'

export interface DecideRefundClosingDeps {
  readonly db: Database
  readonly log: Log
}

const wireOutcomeOf = {
  paid: WireOutcome.PAID,
  failed: WireOutcome.FAILED,
  withdrawn: WireOutcome.WITHDRAWN,
  refund_not_found: WireOutcome.REFUND_NOT_FOUND,
  no_closing: WireOutcome.NO_CLOSING,
  needs_another: WireOutcome.NEEDS_ANOTHER,
  provider_decided: WireOutcome.PROVIDER_DECIDED,
} as const satisfies Record<DecideClosingOutcome, WireOutcome>

/** Agrees to a closing that another person asked for, or withdraws it. */
export function decideRefundClosing(
  deps: DecideRefundClosingDeps,
): Operations<LedgerServiceServer>['decideRefundClosing'] {
  return async (request) => {
    const { refundId, agreed: isAgreed } = request
    const act = readAct(request)
    const outcome = await decide(deps.db, { refundId, isAgreed, ...act })
    deps.log.warn({ refundId, operator: act.operator, outcome }, 'refund closing')
    return { outcome: wireOutcomeOf[outcome] }
  }
}

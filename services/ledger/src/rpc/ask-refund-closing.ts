import {
  AskRefundClosingOutcome as WireOutcome,
  type LedgerServiceServer,
  type RefundEnd as WireEnd,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import { askRefundClosing as ask, type AskClosingOutcome } from '../store/refund-closings'
import type { RefundEnd } from '../store/refunds'
import { readAct } from './read-request'

export interface AskRefundClosingDeps {
  readonly db: Database
  readonly log: Log
}

const endOf = {
  REFUND_END_UNSPECIFIED: undefined,
  REFUND_END_PAID: 'paid',
  REFUND_END_FAILED: 'failed',
} as const satisfies Record<WireEnd, RefundEnd | undefined>

const wireOutcomeOf = {
  asked: WireOutcome.ASKED,
  refund_not_found: WireOutcome.REFUND_NOT_FOUND,
  not_sent_or_decided: WireOutcome.NOT_SENT_OR_DECIDED,
  still_asked: WireOutcome.STILL_ASKED,
  closing_underway: WireOutcome.CLOSING_UNDERWAY,
} as const satisfies Record<AskClosingOutcome, WireOutcome>

/** Asks to write down how a refund ended that the provider never told the end of. */
export function askRefundClosing(
  deps: AskRefundClosingDeps,
): Operations<LedgerServiceServer>['askRefundClosing'] {
  return async (request) => {
    const { refundId } = request
    const end = endOf[request.end]
    if (end === undefined) throw new Fault('invalid_request', { field: 'end' })
    const act = readAct(request)
    const outcome = await ask(deps.db, { refundId, end, ...act })
    deps.log.warn({ refundId, end, operator: act.operator, outcome }, 'refund closing')
    return { outcome: wireOutcomeOf[outcome] }
  }
}

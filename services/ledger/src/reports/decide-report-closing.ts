import type {
  DecideReportClosingRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { readNote, type Acts } from '../operators/signed'
import { decideReportClosing as decide } from './store/report-closings'

export interface DecideReportClosingDeps extends Pick<SharedDatabase, 'pool'> {
  readonly acts: Acts
  readonly log: Log
}

/** Closes a report of payment as another operator asked for, or withdraws that. */
export function decideReportClosing(
  deps: DecideReportClosingDeps,
): Operations<LedgerServiceServer>['decideReportClosing'] {
  return deps.acts.signed(async (request: DecideReportClosingRequest, operator) => {
    const { closingId, agreed: isAgreed } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await decide(deps.pool, { closingId, isAgreed, ...act })
    deps.log.warn({ closingId, operator: operator.name, outcome }, 'report closing')
    return { outcome: wireOf('REPORT_CLOSING_OUTCOME', outcome) }
  })
}

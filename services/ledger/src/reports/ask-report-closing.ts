import type {
  AskReportClosingRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import type { NewIds } from '../database/ids'
import { readNote, readReportSubject, type Acts } from '../operators/signed'
import { askReportClosing as ask } from './store/report-closings'

export interface AskReportClosingDeps extends Pick<SharedDatabase, 'pool'> {
  readonly newIds: NewIds
  readonly acts: Acts
  readonly log: Log
}

/** Asks to close a report of payment as false. Nothing changes until another operator agrees. */
export function askReportClosing(
  deps: AskReportClosingDeps,
): Operations<LedgerServiceServer>['askReportClosing'] {
  return deps.acts.signed(async (request: AskReportClosingRequest, operator) => {
    const subject = readReportSubject(request.subject)
    const closingId = deps.newIds.reportClosing()
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await ask(deps.pool, { closingId, subject, ...act })
    deps.log.warn({ subject, operator: operator.name, outcome }, 'report closing')
    return {
      outcome: wireOf('REPORT_CLOSING_OUTCOME', outcome),
      closingId: outcome === 'asked' ? closingId : undefined,
    }
  })
}

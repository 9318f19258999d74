import type { DecideReportClosingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decideReportClosing as decide } from './store/report-closings'

/** Closes a report of payment as another operator asked for, or withdraws the request. */
export function decideReportClosing(deps: Ledger): Operation<'decideReportClosing'> {
  return deps.acts.signed(async (request: DecideReportClosingRequest, operator) => {
    const { closingId, agreed: isAgreed } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await decide(deps.pool, { closingId, isAgreed, ...act })
    deps.log.warn({ closingId, operator: operator.name, outcome }, 'report closing')
    return { outcome: wireOf('REPORT_CLOSING_OUTCOME', outcome) }
  })
}

import type { AskReportClosingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote, readReportSubject } from '../operators/signed'
import { askReportClosing as ask } from './store/report-closings'

/** Asks to close a report of payment as false. Nothing changes until another operator agrees. */
export function askReportClosing(deps: Ledger): Operation<'askReportClosing'> {
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

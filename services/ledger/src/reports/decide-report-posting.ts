import type { DecideReportPostingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decideReportPosting as decide } from './store/report-postings'

/** Posts the money of an attempt as another operator asked for, or withdraws the request. */
export function decideReportPosting(deps: Ledger): Operation<'decideReportPosting'> {
  return deps.acts.signed(async (request: DecideReportPostingRequest, operator) => {
    const { postingId, agreed: isAgreed } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const messageId = deps.newIds.providerMessage()
    const { outcome, intentId } = await decide(deps.pool, {
      ...{ postingId, isAgreed, messageId },
      ...act,
    })
    deps.log.warn({ postingId, intentId, operator: operator.name, outcome }, 'report posting')
    return { outcome: wireOf('REPORT_POSTING_OUTCOME', outcome) }
  })
}

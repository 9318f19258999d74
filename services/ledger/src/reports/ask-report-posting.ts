import type { AskReportPostingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import { isIntentId } from '@malipo/kernel/ids'
import { amountFromPerson } from '@malipo/kernel/money'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { askReportPosting as ask } from './store/report-postings'

/** Asks to post the money of an attempt that was reported as paid. Nothing changes until another operator agrees. */
export function askReportPosting(deps: Ledger): Operation<'askReportPosting'> {
  return deps.acts.signed(async (request: AskReportPostingRequest, operator) => {
    const payment = readPayment(request)
    const postingId = deps.newIds.reportPosting()
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await ask(deps.pool, { postingId, ...payment, ...act })
    deps.log.warn({ ...payment, operator: operator.name, outcome }, 'report posting')
    return {
      outcome: wireOf('REPORT_POSTING_OUTCOME', outcome),
      postingId: outcome === 'asked' ? postingId : undefined,
    }
  })
}

/** What the operator read in the provider's portal, as people write it. */
function readPayment({ intentId, receipt: given, amount }: AskReportPostingRequest) {
  if (!isIntentId(intentId)) throw new Fault('invalid_request', { field: 'intent_id' })
  const receipt = given.trim()
  if (receipt === '') throw new Fault('invalid_request', { field: 'receipt' })
  const minor = amountFromPerson(amount)
  if (minor === undefined) throw new Fault('invalid_request', { field: 'amount' })
  return { intentId, receipt, minor }
}

import type { AskRefundRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { readNote, readSubject } from '../operators/signed'
import { askRefund as ask } from './store/ask-refund'

/** Asks for a refund of all that came with a receipt. Nothing moves until another operator agrees. */
export function askRefund(deps: Ledger): Operation<'askRefund'> {
  return deps.acts.signed(async (request: AskRefundRequest, operator) => {
    const sentBy = wordOf('REFUND_SENDER', request.sentBy)
    if (sentBy === undefined) throw new Fault('invalid_request', { field: 'sent_by' })
    const act = { operator: operator.operatorId, note: readNote(request) }
    const refundId = deps.newIds.refund()
    const outcome = await ask(deps.pool, {
      refundId,
      subject: readSubject(request.subject),
      sentBy,
      ...act,
      callbackSecret: deps.newIds.callbackSecret(),
    })
    deps.log.warn({ subject: request.subject, operator: operator.name, outcome }, 'refund')
    return {
      outcome: wireOf('ASK_REFUND_OUTCOME', outcome),
      refundId: outcome === 'asked' ? refundId : undefined,
    }
  })
}

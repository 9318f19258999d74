import { Fault } from '@malipo/kernel/errors'
import type { AskPlacementRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote, readSubject } from '../operators/signed'
import { askPlacement as ask } from './store/placements'

/** The owner of held money: a checkout or the wallet of an account. */
function readOwner(owner: AskPlacementRequest['owner']) {
  if (owner === undefined) throw new Fault('invalid_request', { field: 'owner' })
  return {
    checkoutId: owner.$case === 'checkoutId' ? owner.value : null,
    accountId: owner.$case === 'accountId' ? owner.value : null,
  }
}

/** Asks to give what is held under a receipt to its owner. Nothing moves until another operator agrees. */
export function askPlacement(deps: Ledger): Operation<'askPlacement'> {
  return deps.acts.signed(async (request: AskPlacementRequest, operator) => {
    const placementId = deps.newIds.placement()
    const subject = readSubject(request.subject)
    const outcome = await ask(deps.pool, {
      placement: { id: placementId, subject, ...readOwner(request.owner) },
      operator: operator.operatorId,
      note: readNote(request),
    })
    deps.log.warn({ subject: request.subject, operator: operator.name, outcome }, 'placement')
    return {
      outcome: wireOf('PLACEMENT_OUTCOME', outcome),
      placementId: outcome === 'asked' ? placementId : undefined,
    }
  })
}

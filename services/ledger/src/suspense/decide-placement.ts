import type { DecidePlacementRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decidePlacement as decide } from './store/placements'

/** Gives held money to the owner that another operator asked for, or withdraws the request. */
export function decidePlacement(deps: Ledger): Operation<'decidePlacement'> {
  return deps.acts.signed(async (request: DecidePlacementRequest, operator) => {
    const { placementId, agreed: isAgreed } = request
    const { outcome, intentId } = await decide(deps.pool, placementId, {
      isAgreed,
      operator: operator.operatorId,
      note: readNote(request),
      newIntentId: deps.newIds.intent(),
    })
    deps.log.warn({ placementId, operator: operator.name, outcome }, 'placement')
    return { outcome: wireOf('PLACEMENT_OUTCOME', outcome), intentId }
  })
}

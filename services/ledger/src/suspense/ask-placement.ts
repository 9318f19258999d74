import type {
  AskPlacementRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { askPlacement as ask } from '../store/placements/placements'
import { readNote, readOwner, readSubject } from './read-request'
import type { Acts } from './signed'

export interface AskPlacementDeps extends Pick<SharedDatabase, 'pool'> {
  readonly newIds: NewIds
  readonly acts: Acts
  readonly log: Log
}

/** Asks to give what is held under a receipt to its owner. Nothing moves until another operator agrees. */
export function askPlacement(
  deps: AskPlacementDeps,
): Operations<LedgerServiceServer>['askPlacement'] {
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

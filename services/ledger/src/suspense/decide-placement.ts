import type {
  DecidePlacementRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import type { NewIds } from '../database/ids'
import { readNote, type Acts } from '../operators/signed'
import { decidePlacement as decide } from './store/placements'

export interface DecidePlacementDeps extends Pick<SharedDatabase, 'pool'> {
  readonly newIds: NewIds
  readonly acts: Acts
  readonly log: Log
}

/** Gives held money to the owner that another operator asked for, or withdraws that. */
export function decidePlacement(
  deps: DecidePlacementDeps,
): Operations<LedgerServiceServer>['decidePlacement'] {
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

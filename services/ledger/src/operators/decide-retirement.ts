import type {
  DecideRetirementRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { decideRetirement as decide } from './store/retirements'
import type { Acts } from './signed'

export interface DecideRetirementDeps extends Pick<SharedDatabase, 'pool'> {
  readonly acts: Acts
  readonly log: Log
}

/** Retires an operator at the request of another, or withdraws that request. */
export function decideRetirement(
  deps: DecideRetirementDeps,
): Operations<LedgerServiceServer>['decideRetirement'] {
  return deps.acts.signed(async (request: DecideRetirementRequest, operator) => {
    const { operatorId, agreed: isAgreed } = request
    const outcome = await decide(deps.pool, { operatorId, isAgreed, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'retirement')
    return { outcome: wireOf('RETIREMENT_OUTCOME', outcome) }
  })
}

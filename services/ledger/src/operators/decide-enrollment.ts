import type {
  DecideEnrollmentRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { decideEnrollment as decide } from './store/enrollments'
import type { Acts } from './signed'

export interface DecideEnrollmentDeps extends Pick<SharedDatabase, 'pool'> {
  readonly acts: Acts
  readonly log: Log
}

/** Enrols an operator at the request of another, or withdraws that request. */
export function decideEnrollment(
  deps: DecideEnrollmentDeps,
): Operations<LedgerServiceServer>['decideEnrollment'] {
  return deps.acts.signed(async (request: DecideEnrollmentRequest, operator) => {
    const { operatorId, agreed: isAgreed } = request
    const outcome = await decide(deps.pool, { operatorId, isAgreed, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'enrollment')
    return { outcome: wireOf('ENROLLMENT_OUTCOME', outcome) }
  })
}

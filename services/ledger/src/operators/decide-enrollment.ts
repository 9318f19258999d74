import type { DecideEnrollmentRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { decideEnrollment as decide } from './store/enrollments'

/** Enrols an operator at the request of another, or withdraws that request. */
export function decideEnrollment(deps: Ledger): Operation<'decideEnrollment'> {
  return deps.acts.signed(async (request: DecideEnrollmentRequest, operator) => {
    const { operatorId, agreed: isAgreed } = request
    const outcome = await decide(deps.pool, { operatorId, isAgreed, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'enrollment')
    return { outcome: wireOf('ENROLLMENT_OUTCOME', outcome) }
  })
}

import type { DecideRetirementRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { decideRetirement as decide } from './store/retirements'

/** Retires an operator at the request of another, or withdraws that request. */
export function decideRetirement(deps: Ledger): Operation<'decideRetirement'> {
  return deps.acts.signed(async (request: DecideRetirementRequest, operator) => {
    const { operatorId, agreed: isAgreed } = request
    const outcome = await decide(deps.pool, { operatorId, isAgreed, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'retirement')
    return { outcome: wireOf('RETIREMENT_OUTCOME', outcome) }
  })
}

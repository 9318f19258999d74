import type { AskRetirementRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { askRetirement as ask } from './store/retirements'

/** Asks to retire an operator, whose key is accepted until another operator agrees. */
export function askRetirement(deps: Ledger): Operation<'askRetirement'> {
  return deps.acts.signed(async ({ operatorId }: AskRetirementRequest, operator) => {
    const outcome = await ask(deps.pool, { operatorId, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'retirement')
    return { outcome: wireOf('RETIREMENT_OUTCOME', outcome) }
  })
}

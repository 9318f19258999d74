import type {
  AskRetirementRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { askRetirement as ask } from './store/retirements'
import type { Acts } from './signed'

export interface AskRetirementDeps extends Pick<SharedDatabase, 'pool'> {
  readonly acts: Acts
  readonly log: Log
}

/** Asks to retire an operator, whose key is accepted until another operator agrees. */
export function askRetirement(
  deps: AskRetirementDeps,
): Operations<LedgerServiceServer>['askRetirement'] {
  return deps.acts.signed(async ({ operatorId }: AskRetirementRequest, operator) => {
    const outcome = await ask(deps.pool, { operatorId, by: operator.operatorId })
    deps.log.warn({ operatorId, by: operator.name, outcome }, 'retirement')
    return { outcome: wireOf('RETIREMENT_OUTCOME', outcome) }
  })
}

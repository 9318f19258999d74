import type { DecideFreezingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { decideFreezing as decide } from './store/freezes'

/** Freezes or thaws a wallet as another operator asked for, or withdraws the request. */
export function decideFreezing(deps: Ledger): Operation<'decideFreezing'> {
  return deps.acts.signed(async (request: DecideFreezingRequest, operator) => {
    const { freezingId, agreed: isAgreed } = request
    const note = readNote(request)
    const act = { operator: operator.operatorId, note }
    const outcome = await decide(deps.pool, { freezingId, isAgreed, ...act })
    deps.log.warn({ freezingId, operator: operator.name, outcome }, 'freezing')
    return { outcome: wireOf('FREEZING_OUTCOME', outcome) }
  })
}

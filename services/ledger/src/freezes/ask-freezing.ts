import type { AskFreezingRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { askFreezing as ask } from './store/freezes'

/** Asks to freeze a wallet or to thaw it. Nothing changes until another operator agrees. */
export function askFreezing(deps: Ledger): Operation<'askFreezing'> {
  return deps.acts.signed(async (request: AskFreezingRequest, operator) => {
    const { accountId, frozen: shallFreeze } = request
    const freezingId = deps.newIds.freezing()
    const outcome = await ask(deps.pool, {
      freezingId,
      accountId,
      shallFreeze,
      operator: operator.operatorId,
      note: readNote(request),
    })
    deps.log.warn({ accountId, shallFreeze, operator: operator.name, outcome }, 'freezing')
    return {
      outcome: wireOf('FREEZING_OUTCOME', outcome),
      freezingId: outcome === 'asked' ? freezingId : undefined,
    }
  })
}

import type { SwitchCardsRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { readNote } from '../operators/signed'
import { switchCards as storeSwitch } from './store/wallets'

/** Switches cards on or off for a wallet. It moves no money and is undone by its reverse, so one operator does it. */
export function switchCards(deps: Ledger): Operation<'switchCards'> {
  return deps.acts.signed(async (request: SwitchCardsRequest, operator) => {
    const { accountId, on: isOn } = request
    const act = { operator: operator.operatorId, note: readNote(request) }
    const outcome = await storeSwitch(deps.db, { accountId, isOn, ...act })
    deps.log.warn({ accountId, isOn, operator: operator.name, outcome }, 'cards')
    return { outcome: wireOf('CARDS_OUTCOME', outcome) }
  })
}

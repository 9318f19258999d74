import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { providerOf } from '../journal/rules/postings'
import { noteStatementRead } from './store/statements'

/** Records that a provider's statement between two instants was read: each of its rows is stored and applied. */
export function recordStatementRead(deps: Ledger): Operation<'recordStatementRead'> {
  return async ({ rail: wireRail, from, until }) => {
    const rail = wordOf('RAIL', wireRail)
    if (rail === undefined) throw new Fault('invalid_request', { field: 'rail' })
    if (from === undefined || until === undefined || until < from) {
      throw new Fault('invalid_request', { field: 'until' })
    }
    await noteStatementRead(deps.db, { provider: providerOf[rail], from, until })
    return {}
  }
}

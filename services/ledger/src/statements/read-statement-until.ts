import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { providerOf } from '../journal/rules/postings'
import { statementReadUntil } from './store/statements'

/** Says until when a provider's statement was read without a gap. */
export function readStatementUntil(deps: Ledger): Operation<'readStatementUntil'> {
  return async ({ rail: wireRail, since }) => {
    const rail = wordOf('RAIL', wireRail)
    if (rail === undefined) throw new Fault('invalid_request', { field: 'rail' })
    if (since === undefined) throw new Fault('invalid_request', { field: 'since' })
    return { until: await statementReadUntil(deps.db, { provider: providerOf[rail], since }) }
  }
}

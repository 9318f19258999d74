import { withoutNulls } from '@malipo/contracts/present'
import type { Ledger, Operation } from '../operation'
import { listOperators as list } from './store/operators'

/** Lists the enrolled, the retired and the requested operators, the oldest first. */
export function listOperators(deps: Ledger): Operation<'listOperators'> {
  return async () => ({ operators: (await list(deps.db)).map(withoutNulls) })
}

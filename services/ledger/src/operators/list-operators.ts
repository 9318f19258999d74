import type { Ledger, Operation } from '../operation'
import { listOperators as list } from './store/operators'

/** Lists the enrolled, the retired and the requested operators, the oldest first. */
export function listOperators(deps: Ledger): Operation<'listOperators'> {
  return async () => {
    const operators = await list(deps.db)
    return {
      operators: operators.map(({ operatorId, name, subject, status, ...by }) => ({
        operatorId,
        name,
        subject,
        status,
        askedBy: by.askedBy ?? undefined,
        enrolledBy: by.enrolledBy ?? undefined,
        retirementAskedBy: by.retirementAskedBy ?? undefined,
        retiredBy: by.retiredBy ?? undefined,
      })),
    }
  }
}

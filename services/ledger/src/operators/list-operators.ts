import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { listOperators as list } from './store/operators'

/** Lists the enrolled, the retired and the requested operators, the oldest first. */
export function listOperators(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['listOperators'] {
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

import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { SharedDatabase } from '../database/database'
import { findAppliedRows } from './store/statements'
import { statementRowsMax } from './take-statement-rows'

const digestBytes = 32

/** Says which rows of M-Pesa's statement were applied before: most of a reading, which overlaps the one before. */
export function findStatementRows({
  pool,
}: Pick<SharedDatabase, 'pool'>): Operations<LedgerServiceServer>['findStatementRows'] {
  return async ({ digests }) => {
    const isSound = digests.every(({ length }) => length === digestBytes)
    if (!isSound || digests.length > statementRowsMax) {
      throw new Fault('invalid_request', { field: 'digests' })
    }
    return { applied: await findAppliedRows(pool, digests) }
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findAppliedRows } from './store/statements'
import { statementRowsMax } from './take-statement-rows'

const digestBytes = 32

/** Says which rows of M-Pesa's statement were applied before. Readings overlap, so most rows of a reading were. */
export function findStatementRows({ pool }: Ledger): Operation<'findStatementRows'> {
  return async ({ digests }) => {
    const isSound = digests.every(({ length }) => length === digestBytes)
    if (!isSound || digests.length > statementRowsMax) {
      throw new Fault('invalid_request', { field: 'digests' })
    }
    return { applied: await findAppliedRows(pool, digests) }
  }
}

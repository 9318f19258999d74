import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { SharedDatabase } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { storeStatementRows as keepRows } from '../store/statements'
import { bodyBytesMax } from './store-provider-message'

export interface StoreStatementRowsDeps extends Pick<SharedDatabase, 'pool'> {
  readonly newIds: NewIds
}

/** By one call at most so many, which then takes the database some hundred milliseconds. */
export const statementRowsMax = 1_000

/** Keeps rows of M-Pesa's statement word for word, before they are read. */
export function storeStatementRows({
  pool,
  newIds,
}: StoreStatementRowsDeps): Operations<LedgerServiceServer>['storeStatementRows'] {
  return async ({ bodies }) => {
    if (bodies.length > statementRowsMax || bodies.some((body) => body.length > bodyBytesMax)) {
      throw new Fault('invalid_request', { field: 'bodies' })
    }
    const rows = bodies.map((body) => ({ messageId: newIds.providerMessage(), body }))
    const stored = await keepRows(pool, rows)
    return { rows: stored.map(({ messageId, isApplied }) => ({ messageId, applied: isApplied })) }
  }
}

import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { reconcileDay as reconcile } from './store/recon-reports'

/** Compares a day of the journal with what the providers report, and stores the result. */
export function reconcileDay(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['reconcileDay'] {
  return async ({ day }) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
    if (!isDay) throw new Fault('invalid_request', { field: 'day' })
    const reports = await reconcile(deps.db, day)
    return { reports: reports.map((report) => ({ ...report, differing: [...report.differing] })) }
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { isDay } from './rules/reconciliation'
import { reconcileDay as reconcile } from './store/recon-reports'

/** Compares a day of the journal with what the providers report, and stores the result. */
export function reconcileDay(deps: Ledger): Operation<'reconcileDay'> {
  return async ({ day }) => {
    if (!isDay(day)) throw new Fault('invalid_request', { field: 'day' })
    const reports = await reconcile(deps.beside, day)
    return { reports: reports.map((report) => ({ ...report, differing: [...report.differing] })) }
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { reconcileDay as reconcile } from './store/recon-reports'

/** Compares a day of the journal with what the providers report, and stores the result. */
export function reconcileDay(deps: Ledger): Operation<'reconcileDay'> {
  return async ({ day }) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
    if (!isDay) throw new Fault('invalid_request', { field: 'day' })
    const reports = await reconcile(deps.beside, day)
    return { reports: reports.map((report) => ({ ...report, differing: [...report.differing] })) }
  }
}

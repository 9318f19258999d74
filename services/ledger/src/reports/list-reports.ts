import { withoutNulls } from '@malipo/contracts/present'
import type { Ledger, Operation } from '../operation'
import { listReports as readReports } from './store/list-reports'

/** The most reports of each kind that fit in one message. */
const limitMax = 100

/** Lists reports of payment whose receipt is not in the journal. */
export function listReports(deps: Ledger): Operation<'listReports'> {
  return async ({ limit }) => {
    const reports = await readReports(deps.db, Math.min(Math.max(limit, 1), limitMax))
    return {
      reports: reports.map((report) => ({
        ...withoutNulls(report),
        signed: report.isSigned,
        amount: { minor: report.minor, currency: deps.country.currency },
      })),
      signedTotal: reports.find(({ isSigned }) => isSigned)?.total ?? 0,
      unsignedTotal: reports.find(({ isSigned }) => !isSigned)?.total ?? 0,
    }
  }
}

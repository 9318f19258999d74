import type { Ledger, Operation } from '../operation'
import { listReports as readReports } from './store/list-reports'

/** The most reports of each kind that fit in one message. */
const limitMax = 100

/** Lists reports of payment whose receipt is not in the journal. */
export function listReports(deps: Ledger): Operation<'listReports'> {
  return async ({ limit }) => {
    const reports = await readReports(deps.db, Math.min(Math.max(limit, 1), limitMax))
    return {
      reports: reports.map(({ subject, isSigned, minor, reportedAt, ...ids }) => ({
        subject,
        signed: isSigned,
        amount: { minor, currency: deps.country.currency },
        reportedAt,
        intentId: ids.intentId ?? undefined,
        checkoutId: ids.checkoutId ?? undefined,
        closingId: ids.closingId ?? undefined,
        postingId: ids.postingId ?? undefined,
      })),
      signedTotal: reports.find(({ isSigned }) => isSigned)?.total ?? 0,
      unsignedTotal: reports.find(({ isSigned }) => !isSigned)?.total ?? 0,
    }
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { boundsOf, isReadTo } from '../statements/rules/reconciliation'
import { listKeptReports } from './store/kept-reports'

const limitMax = 100

/** Lists what reconciliation found, day by day. */
export function listReconReports(deps: Ledger): Operation<'listReconReports'> {
  return async ({ limit }) => {
    if (limit < 1 || limit > limitMax) throw new Fault('invalid_request', { field: 'limit' })
    const reports = await listKeptReports(deps.db, limit)
    return {
      reports: reports.map(({ made, read, readUntil, differing, ...report }) => ({
        ...report,
        differing: [...differing],
        readUntil: readUntil ?? undefined,
        // Whether the statement was read to the end of the day, or to a quarter of an hour before the report was made.
        isRead: read !== null && isReadTo(read, boundsOf(report.day).until, made),
      })),
    }
  }
}

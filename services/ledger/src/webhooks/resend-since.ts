import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { resentMax } from './rules/delivery'
import type { Database } from '../database/database'
import { resendSince as resend } from './store/webhooks'

/** Delivers again what an endpoint was sent since a time and did not take, each with the id that it had. */
export function resendSince(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['resendSince'] {
  return async ({ accountId, endpointId, since }) => {
    if (since === undefined) throw new Fault('invalid_request', { field: 'since' })
    const resent = await resend(deps.db, { accountId, endpointId }, since)
    if (resent === undefined) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return { resent, hasMore: resent === resentMax }
  }
}

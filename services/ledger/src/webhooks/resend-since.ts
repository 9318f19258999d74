import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { resentMax } from './rules/delivery'
import { resendSince as resend } from './store/webhooks'

/** Makes the deliveries due again that an endpoint was sent since a time and did not take, with the same event ids. */
export function resendSince(deps: Ledger): Operation<'resendSince'> {
  return async ({ accountId, endpointId, since }) => {
    if (since === undefined) throw new Fault('invalid_request', { field: 'since' })
    const resent = await resend(deps.db, { accountId, endpointId }, since)
    if (resent === undefined) throw new Fault('invalid_request', { field: 'endpoint_id' })
    return { resent, hasMore: resent === resentMax }
  }
}

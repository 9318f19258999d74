import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { claimDeliveries as claim } from './store/deliveries'

/** The most deliveries of one claim: more than a worker sends at once, and few enough for a short SQL statement. */
const limitMax = 500

/** Leases deliveries that are due, a bounded number of each endpoint. */
export function claimDeliveries(deps: Ledger): Operation<'claimDeliveries'> {
  return async ({ limit }) => {
    if (limit < 1) throw new Fault('invalid_request', { field: 'limit' })
    return { deliveryIds: await claim(deps.pool, Math.min(limit, limitMax)) }
  }
}

import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { claimDeliveries as claim } from './store/deliveries'

/** More deliveries than a worker sends at once, and still one short SQL statement. */
const limitMax = 500

/** Leases deliveries that are due, a bounded number of each endpoint. */
export function claimDeliveries(deps: Ledger): Operation<'claimDeliveries'> {
  return async ({ limit }) => {
    if (limit < 1) throw new Fault('invalid_request', { field: 'limit' })
    return { deliveryIds: await claim(deps.pool, Math.min(limit, limitMax)) }
  }
}

import type { Ledger, Operation } from '../operation'
import { beginDelivery as begin } from './store/deliveries'

/** Hands out the event to send, and makes the delivery due again in case its result is never recorded. */
export function beginDelivery(deps: Ledger): Operation<'beginDelivery'> {
  return async ({ deliveryId }) => ({ message: await begin(deps.db, deliveryId) })
}

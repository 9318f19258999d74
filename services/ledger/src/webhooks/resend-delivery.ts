import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { resendDelivery as resend } from './store/webhooks'

/** Makes a delivery due again now, with the same event id. */
export function resendDelivery(deps: Ledger): Operation<'resendDelivery'> {
  return async ({ accountId, deliveryId }) => {
    if (!(await resend(deps.db, accountId, deliveryId))) {
      throw new Fault('invalid_request', { field: 'delivery_id' })
    }
    return {}
  }
}

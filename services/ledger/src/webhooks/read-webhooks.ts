import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { listDeliveries, listStates } from './store/webhooks'

/** Reads the state of an account's endpoints, and its newest deliveries. */
export function readWebhooks(deps: Ledger): Operation<'readWebhooks'> {
  return async ({ accountId }) => {
    const states = await listStates(deps.db, accountId)
    const deliveries = await listDeliveries(deps.db, accountId)
    return {
      states: states.map((state) => ({
        ...withoutNulls(state),
        offBecause: wireOf('WEBHOOK_OFF', state.offBecause),
      })),
      deliveries: deliveries.map((delivery) => ({
        ...withoutNulls(delivery),
        status: wireOf('DELIVERY_STATUS', delivery.status),
      })),
    }
  }
}

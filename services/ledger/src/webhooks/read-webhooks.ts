import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { listDeliveries, listStates } from './store/webhooks'

/** Reads the state of an account's endpoints, and its newest deliveries. */
export function readWebhooks(deps: Ledger): Operation<'readWebhooks'> {
  return async ({ accountId }) => {
    const states = await listStates(deps.db, accountId)
    const deliveries = await listDeliveries(deps.db, accountId)
    return {
      states: states.map(({ endpointId, offAt, offBecause, failingSince }) => ({
        endpointId,
        offAt: offAt ?? undefined,
        offBecause: wireOf('WEBHOOK_OFF', offBecause),
        failingSince: failingSince ?? undefined,
      })),
      deliveries: deliveries.map((delivery) => ({
        ...delivery,
        status: wireOf('DELIVERY_STATUS', delivery.status),
        attemptedAt: delivery.attemptedAt ?? undefined,
        answerStatus: delivery.answerStatus ?? undefined,
        failure: delivery.failure ?? undefined,
        durationMs: delivery.durationMs ?? undefined,
        nextAttemptAt: delivery.nextAttemptAt ?? undefined,
      })),
    }
  }
}

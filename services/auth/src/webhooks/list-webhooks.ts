import type { WebhookDeliveryView, WebhookEndpointView, WebhooksView } from '@malipo/interface/hub'
import type { Delivery, EndpointState, Webhooks } from '@malipo/ledger-client/webhooks'
import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { listEndpoints, type WebhookEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

/** `GET /v1/hub/webhooks`: the endpoints, and the newest deliveries. Fault: ledger_unavailable. */
export function listWebhooks(deps: Hub): VisitOperation {
  return async (_request, { account }) => {
    const { accountId } = account
    const endpoints = await listEndpoints(deps.db, accountId)
    const known = await deps.ledgers.of(account).readWebhooks(accountId)
    return succeed(200, 'Webhooks', showWebhooks(endpoints, known))
  }
}

function showWebhooks(
  endpoints: readonly WebhookEndpoint[],
  { states, deliveries }: Webhooks,
): WebhooksView {
  const stateOf = new Map(states.map((state) => [state.endpointId, state]))
  return {
    endpoints: endpoints.map((endpoint) =>
      showEndpoint(endpoint, stateOf.get(endpoint.endpointId)),
    ),
    deliveries: deliveries.map(showDelivery),
  }
}

function showEndpoint(
  { endpointId, url, createdAt, previousUntil }: WebhookEndpoint,
  state: EndpointState | undefined,
): WebhookEndpointView {
  return {
    endpoint_id: endpointId,
    url,
    created_at: createdAt.toISOString(),
    off_because: offBecause(state),
    off_at: textOf(state?.offAt),
    failing_since: textOf(state?.failingSince),
    previous_secret_until: textOf(previousUntil),
  }
}

function offBecause(state: EndpointState | undefined): WebhookEndpointView['off_because'] {
  if (state === undefined) return 'not_registered'
  return state.offBecause === 'gone' || state.offBecause === 'failing' ? state.offBecause : null
}

function showDelivery(delivery: Delivery): WebhookDeliveryView {
  return {
    delivery_id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    type: delivery.type,
    subject_id: delivery.subjectId,
    created_at: delivery.createdAt.toISOString(),
    status: delivery.status,
    attempts: delivery.attempts,
    attempted_at: textOf(delivery.attemptedAt),
    answer_status: delivery.answerStatus ?? null,
    failure: delivery.failure ?? null,
    duration_ms: delivery.durationMs ?? null,
    next_attempt_at: textOf(delivery.nextAttemptAt),
  }
}

const textOf = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

import { signWebhook } from '../clients/sign-webhook'
import type { JobDeps } from './job-deps'

/**
 * Sends one event to one endpoint of a merchant, at least once: what was sent and not recorded is due again, with the
 * same id. Its body names the event and its subject; the merchant reads the rest.
 */
export async function deliverEvent(deps: JobDeps, deliveryId: string): Promise<string> {
  const message = await deps.ledger.beginDelivery(deliveryId)
  if (message === undefined) return 'nothing_to_deliver'
  const { endpointId, eventId, type, subjectId, createdAt } = message
  // Without the auth service it is due again in half a minute, and counts as no attempt.
  const endpoint = await deps.accounts.findWebhookEndpoint(endpointId)
  if (endpoint === undefined) {
    await deps.ledger.recordDelivery(deliveryId, { kind: 'endpoint_unknown' }, 0)
    return 'endpoint_unknown'
  }
  const timestamp = createdAt.toISOString()
  const body = JSON.stringify({ type, timestamp, data: { id: subjectId } })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Malipo-Webhooks/1',
    ...signWebhook({ eventId, body, atMs: deps.clock.now() }, endpoint.secrets),
  }
  const startedAt = performance.now()
  const outcome = await deps.postWebhook({ url: endpoint.url, headers, body })
  const durationMs = performance.now() - startedAt
  // The address may have a secret of the merchant in it, so it is in no log.
  deps.log.info({ deliveryId, eventId, endpointId, type, ...outcome }, 'webhook delivery')
  await deps.ledger.recordDelivery(deliveryId, outcome, durationMs)
  return outcome.kind
}

import { createHmac } from 'node:crypto'
import type { JobDeps } from '../sweep/job-deps'

/**
 * Delivers one event to one endpoint of a merchant, at least once: a delivery that was sent and not recorded is
 * repeated with the same id. The body names the event and its subject; the merchant reads the rest by the API.
 */
export async function deliverEvent(deps: JobDeps, deliveryId: string): Promise<string> {
  const message = await deps.ledger.beginDelivery(deliveryId)
  if (message === undefined) return 'nothing_to_deliver'
  const { endpointId, eventId, type, subjectId, createdAt } = message
  const endpoint = await deps.accounts
    .findWebhookEndpoint(endpointId)
    .catch(async (error: unknown) => {
      // An outage of auth is not counted as an attempt: the delivery waits 30 seconds, then longer each time, up to two
      // minutes.
      await deps.ledger.recordDelivery(deliveryId, { kind: 'not_attempted' }, 0)
      throw error
    })
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
  // The URL may contain a secret of the merchant, so it is never logged.
  deps.log.info({ deliveryId, eventId, endpointId, type, ...outcome }, 'webhook delivery')
  await deps.ledger.recordDelivery(deliveryId, outcome, durationMs)
  return outcome.kind
}

/**
 * The headers of Standard Webhooks: the id is the same at each attempt, the time is the attempt's, and each valid
 * secret signs `id.timestamp.body`.
 */
function signWebhook(
  {
    eventId,
    body,
    atMs,
  }: { readonly eventId: string; readonly body: string; readonly atMs: number },
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signed = `${eventId}.${timestamp}.${body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

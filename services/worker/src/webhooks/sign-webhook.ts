import { createHmac } from 'node:crypto'

/**
 * The headers of Standard Webhooks: the id is the same at each attempt, the time is the attempt's, and each valid
 * secret signs `id.timestamp.body`.
 */
export function signWebhook(
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

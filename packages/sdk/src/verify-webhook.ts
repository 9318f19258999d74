import { createHmac, timingSafeEqual } from 'node:crypto'

export interface WebhookEvent {
  readonly type:
    | 'checkout.completed'
    | 'checkout.expired'
    | 'payment.failed'
    | 'payment.reversed'
    | 'webhook.test'
  /** When it happened, ISO 8601 in UTC. */
  readonly timestamp: string
  /** The id of the checkout, to be read; of a test, that of the endpoint. */
  readonly data: { readonly id: string }
}

/** As Node, Express or `fetch` have them; the names in any case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request that was not signed with this secret, or not within five minutes: do nothing of what it says. */
export class MalipoWebhookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MalipoWebhookError'
  }
}

const toleranceSeconds = 300

/**
 * The event of a webhook request, if it is Malipo's. `body` is the body as it came, before anything parsed it; `secret`
 * is the `whsec_…` that the hub showed. The same event may come twice, then with the same `webhook-id`. Throws
 * MalipoWebhookError.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  const key = keyOf(secret)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const ageSeconds = Date.now() / 1_000 - Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds) {
    throw new MalipoWebhookError('webhook-timestamp is not within five minutes of this clock')
  }
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!signatures.some((signature) => isSame(signature, expected))) {
    throw new MalipoWebhookError(
      'no signature matches: not of this secret, or the body was changed',
    )
  }
  return JSON.parse(Buffer.from(body).toString('utf8')) as WebhookEvent
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (!secret.startsWith('whsec_') || key.length < 24) {
    throw new TypeError('secret must be the signing secret of a webhook: whsec_…')
  }
  return key
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? []
  const text = typeof value === 'string' ? value : value?.[0]
  if (text === undefined) throw new MalipoWebhookError(`the header ${name} is missing`)
  return text
}

function isSame(signature: string, expected: Buffer): boolean {
  const [version, text = ''] = signature.split(',')
  const given = Buffer.from(text, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

import { createHmac, timingSafeEqual } from 'node:crypto'

export interface WebhookEvent {
  readonly type:
    | 'checkout.completed'
    | 'checkout.expired'
    | 'payment.failed'
    | 'payment.reversed'
    | 'webhook.test'
  /** When the event occurred, ISO 8601 in UTC. */
  readonly timestamp: string
  /**
   * The id of the checkout to read, also in `payment.failed` and `payment.reversed`, which name no attempt; in
   * `webhook.test`, the id of the endpoint. Events of types that Malipo adds later are returned too, and may have no
   * id.
   */
  readonly data: { readonly id: string }
}

/** Headers as in Node, Express or `fetch`; names in any case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The request is not signed with this secret, its time is over five minutes off, or it has no event: ignore it. */
export class MalipoWebhookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MalipoWebhookError'
  }
}

const toleranceSeconds = 300

/**
 * Verifies a webhook request and returns its event. `body` is the raw body, before any parsing; `secret` is the
 * `whsec_…` from the hub. An event may come twice, with the same `webhook-id`. Throws MalipoWebhookError.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | undefined,
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
  return eventOf(Buffer.from(body).toString('utf8'))
}

function eventOf(text: string): WebhookEvent {
  const event = jsonOf(text)
  if (!isEvent(event)) throw new MalipoWebhookError('the body is no event of Malipo')
  return event
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Accepts types that Malipo adds later, whose data may have no id. */
function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false
  const { type, timestamp, data } = value
  return typeof type === 'string' && typeof timestamp === 'string' && isObject(data)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** `secret` comes from the environment, so it may be undefined: that throws TypeError, as a wrong secret does. */
function keyOf(secret = ''): Buffer {
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

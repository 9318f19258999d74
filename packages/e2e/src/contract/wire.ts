import { randomInt, randomUUID } from 'node:crypto'

/** What a server answered, as it stood on the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, unchecked: the tests say what must be in it. */
  readonly json: Body
}

export interface Body {
  readonly ok?: boolean
  readonly code?: number
  readonly description?: string
  readonly data?: Record<string, unknown>
}

export interface Request {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string
}

/** Longer than any deadline of the service, so that a request that hangs shows as one. */
const answerDeadlineMs = 20_000

/** Sends one request. Throws when no answer comes, or one that is not JSON. */
export async function send(url: string, request: Request = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, raw } = request
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: raw ?? JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerDeadlineMs),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(text) as Body,
  }
}

/** A client address of its own: public limits count by address, and the local stack trusts loopback as a proxy. */
export function newAddress(): { readonly 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` }
}

export function newKey(): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': randomUUID() }
}

/** HTTP status and numeric code of a refusal; the contract shows no more of its shape. */
export function refusal({ status, json }: Reply): readonly [number, number | undefined] {
  return [status, json.code]
}

/** Asserts the success envelope and returns its data. */
export function dataOf(
  { status, json }: Reply,
  expected: { readonly status: number; readonly description: string },
): Record<string, unknown> {
  expect({ status, ok: json.ok, description: json.description }).toEqual({ ...expected, ok: true })
  expect(Object.keys(json).sort()).toEqual(['data', 'description', 'ok'])
  return json.data ?? {}
}

/** ISO 8601 in UTC. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string

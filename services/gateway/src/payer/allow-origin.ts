import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '@malipo/kernel/errors'

/** Sets the CORS headers that let a page read the answer. */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Only listed origins may read the public routes: an exact list, no credentials, and never the origin `null` of
 * sandboxed frames. A POST carries JSON and an Idempotency-Key, so browsers send a preflight first, and no other site
 * can make a payer's browser start a prompt.
 */
export function openAllowOrigin(origins: readonly string[]): AllowOrigin {
  return (request, response) => {
    response.setHeader('Vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    response.setHeader('Access-Control-Allow-Origin', origin)
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST')
      response.setHeader(
        'Access-Control-Allow-Headers',
        'Content-Type, Idempotency-Key, traceparent',
      )
      response.setHeader('Access-Control-Max-Age', '600')
    } else {
      response.setHeader(
        'Access-Control-Expose-Headers',
        'Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
      )
    }
  }
}

/** Refuses a request from a page of another origin. Fault: origin_not_allowed. */
export type CheckOrigin = (request: IncomingMessage) => void

/**
 * A client that is not a browser sends no origin, and passes: this check only protects payers' browsers from other
 * sites, not against handwritten requests.
 */
export function openCheckOrigin(origins: readonly string[]): CheckOrigin {
  return ({ headers: { origin } }) => {
    if (origin !== undefined && !origins.includes(origin)) throw new Fault('origin_not_allowed')
  }
}

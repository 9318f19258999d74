import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '@malipo/kernel/errors'

/** Tells a browser whether the page that asks may read the answer. */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The public routes may be read by pages of ours and by no other page: an exact list, no credentials, and never the
 * origin `null` of sandboxed frames. A POST carries JSON and an Idempotency-Key, so a browser always asks first, and
 * no other site can make a payer's browser start a prompt.
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
 * A client that is no browser sends no origin, and passes: this check keeps other sites from using a payer's browser,
 * and does not stop a request written by hand.
 */
export function openCheckOrigin(origins: readonly string[]): CheckOrigin {
  return ({ headers: { origin } }) => {
    if (origin !== undefined && !origins.includes(origin)) throw new Fault('origin_not_allowed')
  }
}

import type { RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FieldError } from '@malipo/kernel/errors'
import { boundConnections, type ConnectionLimits } from './bound-connections'
import { framingError } from './framing'
import { serveHttp } from './http'
import type { Networks } from './networks'
import { answerUnreadable, refuseUnreadable } from './refuse-unreadable'

export interface PublicHttpOptions {
  readonly handler: RequestListener
  readonly host: string
  readonly port: number
  /** Clients reach this listener by https, which ends at a proxy of ours: every answer then says so (HSTS). */
  readonly isEncrypted: boolean
  readonly connections: ConnectionLimits
  /** Proxies of ours, whose connections bring many clients each. */
  readonly proxies: Networks
}

/** A year, as browsers expect it. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** How long a client may neither read its answer nor send anything, while a request is under way. */
const stalledMs = 30_000

/**
 * Requests that one connection may have under way. Browsers and proxies wait for each answer; without a bound one
 * connection could begin as many requests as a thousand.
 */
const requestsMax = 16

/** Serves what the public reaches: bounded connections, one reading of each request, and HSTS on every answer. */
export async function servePublicHttp(
  options: PublicHttpOptions,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const { handler, host, port, connections, proxies } = options
  const headers = Object.entries(options.isEncrypted ? strictTransport : {})
  const refused = new WeakSet<Duplex>()
  const countRequest = openRequestCount()
  let track: ReturnType<typeof boundConnections> | undefined
  return serveHttp({
    host,
    port,
    handler: (request, response) => {
      const { socket } = request
      // What follows a request with doubtful bounds may be a part of it: none of it is carried out.
      if (refused.has(socket)) return
      track?.(request, response)
      for (const [name, value] of headers) response.setHeader(name, value)
      const error = framingError(request) ?? countRequest(socket, response)
      if (error === undefined) {
        handler(request, response)
        return
      }
      refused.add(socket)
      answerUnreadable(error, response)
    },
    prepare: (server) => {
      server.timeout = stalledMs
      track = boundConnections(server, connections, proxies)
    },
    connectionsMax: connections.max,
    onUnreadable: (error, socket) => {
      // It has been answered, and the connection ends with that answer.
      if (refused.has(socket)) socket.end()
      else refuseUnreadable(error, socket, Object.fromEntries(headers))
    },
  })
}

/** Counts a request until it is answered; says what is wrong when its connection has too many. */
function openRequestCount(): (socket: Duplex, response: ServerResponse) => FieldError | undefined {
  const counts = new WeakMap<Duplex, number>()
  const add = (socket: Duplex, change: number) => {
    const count = (counts.get(socket) ?? 0) + change
    counts.set(socket, count)
    return count
  }
  return (socket, response) => {
    response.once('close', () => add(socket, -1))
    if (add(socket, 1) <= requestsMax) return undefined
    const message = `may have ${String(requestsMax)} requests under way; wait for an answer, then send the next`
    return { path: 'connection', message }
  }
}

import type { RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FieldError } from '@malipo/kernel/errors'
import { boundConnections, type ConnectionLimits } from './bound-connections'
import { framingError } from './framing'
import { type Listener, serveHttp } from './http'
import type { Networks } from './networks'
import { answerUnreadable, refuseUnreadable } from './refuse-unreadable'

export interface PublicHttpOptions {
  readonly handler: RequestListener
  readonly host: string
  readonly port: number
  /** Clients reach this listener by https, which our proxy terminates: every answer then has HSTS. */
  readonly isEncrypted: boolean
  readonly connections: ConnectionLimits
  /** Our proxies, whose connections carry many clients each. */
  readonly proxies: Networks
}

/** A year, as browsers recommend. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** How long a client may stop reading or sending during a request. */
const stalledMs = 30_000

/**
 * The most requests in flight on one connection. Browsers and proxies wait for each answer; without a limit one
 * connection could start as many requests as a thousand.
 */
const requestsMax = 16

/** Serves a public listener: bounded connections, strict framing, and HSTS on every answer. */
export async function servePublicHttp(options: PublicHttpOptions): Promise<Listener> {
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
      // After an ambiguous request the following bytes may belong to it: none are processed.
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
      // The request was answered, and its connection closes after that.
      if (refused.has(socket)) socket.end()
      else refuseUnreadable(error, socket, Object.fromEntries(headers))
    },
  })
}

/** Counts a request until it is answered; returns an error when its connection has too many. */
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

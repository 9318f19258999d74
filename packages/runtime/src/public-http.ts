import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FieldError } from '@malipo/kernel/errors'
import { boundConnections, type ConnectionLimits } from './bound-connections'
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
 * connection could have a thousand requests in flight.
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
      // Bytes after an ambiguous request may be a part of it, so no later request on the connection is handled.
      if (refused.has(socket)) return
      track?.(request, response)
      for (const [name, value] of headers) response.setHeader(name, value)
      const error = framingError(request) ?? cutTarget(request) ?? countRequest(socket, response)
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
      // A request on this connection was already refused; what cannot be read after it gets no second answer.
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

const oneHost = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-fA-F:.]+\](?::\d{1,5})?$/

/**
 * Why the framing of a request is ambiguous although Node accepts it: a proxy may see another request (RFC 9112, 3.2
 * and 6.1). Undefined when it is not.
 */
function framingError(request: IncomingMessage): FieldError | undefined {
  const hosts = valuesOf(request, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
    return { path: 'Host', message: 'must be sent exactly once' }
  }
  // Some proxies join repeated headers into one.
  if (hosts.some((host) => !oneHost.test(host))) {
    return { path: 'Host', message: 'must be one host name, with a port or without' }
  }
  const codings = valuesOf(request, 'transfer-encoding')
  const isChunked = codings.length === 1 && codings[0]?.trim().toLowerCase() === 'chunked'
  if (codings.length > 0 && (!isChunked || request.httpVersion !== '1.1')) {
    return { path: 'Transfer-Encoding', message: 'must be chunked and nothing else, in HTTP/1.1' }
  }
  return undefined
}

/**
 * Cuts a target that is a whole URL, as clients send it to a proxy (RFC 9112, 3.2.2), to its path and query: handlers
 * expect nothing else. Returns an error when it is no such URL.
 */
function cutTarget(request: IncomingMessage): FieldError | undefined {
  const { method, url: target = '' } = request
  if (target.startsWith('/') || (method === 'OPTIONS' && target === '*')) return undefined
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { path: 'target', message: 'must be a path, or a whole http URL' }
  }
  request.url = url.pathname + url.search
  return undefined
}

/** All values of a header in the order sent, because Node's own list drops or joins repeated headers. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}

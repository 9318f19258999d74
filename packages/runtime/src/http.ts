import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

export interface HttpOptions {
  readonly handler: RequestListener
  readonly host: string
  readonly port: number
  /** Answers what could not be read as a request; without it Node answers a bare status. It must end the socket. */
  readonly onUnreadable?: (error: Error, socket: Duplex) => void
  /** Runs before the server listens. */
  readonly prepare?: (server: Server) => void
  readonly connectionsMax?: number
}

export interface Listener {
  readonly port: number
  /** Accepts no more connections, and ends each one with its next answer; see `openDrain`. */
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Node's maximum of connections is this much higher than ours, because Node still counts, for a moment, a connection
 * that was closed to make room.
 */
const closingMax = 100

/**
 * Listens with limits that we set: a whole request within 10 s, its headers within 5 s and 16 KB, and a maximum
 * of connections, so that slow clients cost a socket and nothing more.
 */
export async function serveHttp(options: HttpOptions): Promise<Listener> {
  const { onUnreadable, handler, connectionsMax = 2_000 } = options
  const server = createServer(
    {
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      // Longer than the 60 s that load balancers keep idle connections, so that they close first.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      // Node's own refusal has neither a body nor a request id.
      requireHostHeader: onUnreadable === undefined,
    },
    handler,
  )
  if (onUnreadable) server.on('clientError', unlessItArrived(server, onUnreadable))
  // RFC 9110 lets the server ignore an unknown expectation; Node would answer a bare 417.
  server.on('checkExpectation', handler)
  // Without this, Node would silently drop headers above a certain number, such as a second Idempotency-Key. The size
  // of all headers is bounded anyway.
  server.maxHeadersCount = 0
  server.maxConnections = connectionsMax + closingMax
  server.maxRequestsPerSocket = 1_000
  const drain = openDrain(server)
  options.prepare?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const { port, host } = options
    // Connections wait in the backlog while this process is busy; Node's 511 places overflow in one burst.
    server.listen({ port, host, backlog: connectionsMax }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, drain, stop: () => stopServer(server) }
}

/**
 * Node reports a request as late when it was not read in time. After this process stood still, that report comes before
 * the data that arrived is read, so a late request is refused only if it is still not complete once that data was read.
 * A connection on which nothing came is closed.
 */
function unlessItArrived(
  server: Server,
  refuse: NonNullable<HttpOptions['onUnreadable']>,
): (error: Error, socket: Duplex) => void {
  const latest = new WeakMap<Duplex, IncomingMessage>()
  server.on('request', (request: IncomingMessage) => latest.set(request.socket, request))
  const arrived = (socket: Duplex) => {
    const request = latest.get(socket)
    return request?.complete === true ? request : undefined
  }
  return (error, socket) => {
    if (!('code' in error) || error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(error, socket)
      return
    }
    const before = arrived(socket)
    // Data that has arrived is read before `setImmediate` runs.
    setImmediate(() => {
      if (arrived(socket) !== before) return
      // A connection that sent nothing gets no answer: its client would take it for the answer to its next request.
      if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy()
      else refuse(error, socket)
    })
  }
}

/** Stops accepting, lets running requests finish for up to 2 s, then cuts what is left. */
async function stopServer(server: Server): Promise<void> {
  // After this process stood still, timers run before arrived data is read: a connection with a request looks idle.
  await turn()
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections()
    }, 2_000)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** How long clients get to use a kept connection once more, and so to read that it closes. */
const drainMs = 1_000

/** The most turns in which a drain accepts waiting connections: new clients must not keep a listener from closing. */
const turnsMax = 1_000

/**
 * A connection that is closed while its client sends the next request fails that request, and a POST is not sent again
 * by itself. So the server first stops accepting, and closes each connection with its next answer, which says so
 * (`Connection: close`). The returned function does that; it resolves when no connection is left, or after a second.
 */
function openDrain(server: Server): () => Promise<void> {
  const answering = new Map<Socket, ServerResponse>()
  let isDraining = false
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    // The last of several pipelined requests closes the connection.
    answering.set(socket, response)
    response.once('close', () => {
      if (answering.get(socket) === response) answering.delete(socket)
    })
  })
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  // Node accepts one connection in each turn of the event loop, and those that still wait would be reset.
  const untilAccepted = async () => {
    let before: number
    let turns = 0
    do {
      before = accepted
      turns += 1
      await turn()
    } while (accepted > before && turns < turnsMax)
  }
  return async () => {
    isDraining = true
    for (const response of answering.values()) response.shouldKeepAlive = false
    await untilAccepted()
    const closed = new Promise((resolve) => {
      // `close` of a `net.Server` leaves idle connections open; `close` of an HTTP server would end them.
      NetServer.prototype.close.call(server, resolve)
    })
    await Promise.race([closed, wait(drainMs, undefined, { ref: false })])
  }
}

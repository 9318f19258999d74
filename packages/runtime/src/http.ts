import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

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

/** Connections that were closed to make room still count for a moment in Node's own number. */
const closingMax = 100

/**
 * Listens with bounds that Node does not set: a whole request within 10 s, its headers within 5 s and 16 KB, and a
 * bounded number of connections, so that slow clients cost a socket and nothing more.
 */
export async function serveHttp(
  options: HttpOptions,
): Promise<{ port: number; stop: () => Promise<void> }> {
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
  if (onUnreadable) server.on('clientError', onUnreadable)
  // RFC 9110 leaves it to us what to do about an expectation that we do not know; Node would answer a bare 417.
  server.on('checkExpectation', handler)
  // The bytes of the headers are bounded already. Beyond a number of them Node drops the rest and says nothing, and a
  // second Idempotency-Key would not be seen.
  server.maxHeadersCount = 0
  server.maxConnections = connectionsMax + closingMax
  server.maxRequestsPerSocket = 1_000
  options.prepare?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const { port, host } = options
    // Connections that come while this process is busy wait for it: Node's 511 are gone in one burst.
    server.listen({ port, host, backlog: connectionsMax }, resolve)
  })
  return { port: (server.address() as AddressInfo).port, stop: () => stopServer(server) }
}

/** Stops accepting, lets running requests finish for up to 2 s, then cuts what is left. */
async function stopServer(server: Server): Promise<void> {
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

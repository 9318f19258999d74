import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface HttpOptions {
  readonly handler: RequestListener
  readonly host: string
  readonly port: number
  /** Answers what could not be read as a request; without it Node answers a bare status. It must end the socket. */
  readonly onUnreadable?: (error: Error, socket: Duplex) => void
}

/**
 * Listens with bounds that Node does not set: a whole request within 10 s, its headers within 5 s and 16 KB, and at
 * most 2,000 connections, so that slow clients cost a socket and nothing more.
 */
export async function serveHttp(
  options: HttpOptions,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(
    {
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      // Longer than the 60 s that load balancers keep idle connections, so that they close first.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    options.handler,
  )
  if (options.onUnreadable) server.on('clientError', options.onUnreadable)
  server.maxConnections = 2_000
  server.maxRequestsPerSocket = 1_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
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

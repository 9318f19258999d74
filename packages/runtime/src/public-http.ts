import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
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

/** Serves what the public reaches: bounded connections, one reading of each request, and HSTS on every answer. */
export async function servePublicHttp(
  options: PublicHttpOptions,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const { handler, host, port, connections, proxies } = options
  const headers = Object.entries(options.isEncrypted ? strictTransport : {})
  const refused = new WeakSet<Duplex>()
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
      const error = framingError(request)
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveHttp } from './http'
import { metrics } from './metrics'

/** Named questions that must all resolve for the service to take traffic, each with its own deadline. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

/** Serves `/livez`, `/readyz` and `/metrics` on a port of their own, which never faces the public. */
export async function serveHealth(options: {
  readonly host: string
  readonly port: number
  readonly checks: Checks
}): Promise<{ port: number; stop: () => Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    switch (request.url ?? '') {
      case '/livez':
        return response.writeHead(200).end('live\n')
      case '/readyz': {
        const failing = await failingChecks(options.checks)
        return response
          .writeHead(failing.length === 0 ? 200 : 503)
          .end(failing.length === 0 ? 'ready\n' : `not ready: ${failing.join(', ')}\n`)
      }
      case '/metrics':
        return response
          .writeHead(200, { 'content-type': metrics.contentType })
          .end(await metrics.metrics())
      default:
        return response.writeHead(404).end()
    }
  }
  return serveHttp({
    host: options.host,
    port: options.port,
    handler: (request, response) => void answer(request, response),
  })
}

async function failingChecks(checks: Checks): Promise<string[]> {
  const entries = Object.entries(checks)
  const results = await Promise.allSettled(entries.map(([, check]) => check()))
  return entries.flatMap(([name], index) => (results[index]?.status === 'rejected' ? [name] : []))
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveHttp } from './http'
import { checkDuration, failingCheck, metrics } from './metrics'

/** The error of a readiness check. `/readyz` shows its message to operators, unlike that of other errors. */
export class NotReady extends Error {}

/** Named checks that must all pass for readiness, each with its own deadline. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

interface Page {
  readonly status: number
  readonly text: string
  readonly contentType: string
}

const plain = 'text/plain; charset=utf-8'

const pages: ReadonlyMap<string, (checks: Checks) => Promise<Page>> = new Map([
  ['/livez', livez],
  ['/readyz', readyz],
  ['/metrics', showMetrics],
])

/** The paths that the admin port of every service answers. */
export const adminPaths: readonly string[] = [...pages.keys()]

/** Serves `/livez`, `/readyz` and `/metrics` on their own port, which never faces the public. */
export async function serveHealth(options: {
  readonly host: string
  readonly port: number
  readonly checks: Checks
}): Promise<{ port: number; stop: () => Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const page = pages.get(request.url ?? '')
    if (page === undefined) {
      response.writeHead(404).end()
      return
    }
    const { status, text, contentType } = await page(options.checks)
    response.writeHead(status, { 'content-type': contentType }).end(text)
  }
  return serveHttp({
    host: options.host,
    port: options.port,
    handler: (request, response) => void answer(request, response),
  })
}

function livez(): Promise<Page> {
  return Promise.resolve({ status: 200, text: 'live\n', contentType: plain })
}

async function readyz(checks: Checks): Promise<Page> {
  const failing = await failingChecks(checks)
  return failing.length === 0
    ? { status: 200, text: 'ready\n', contentType: plain }
    : { status: 503, text: `not ready: ${failing.map(describe).join(', ')}\n`, contentType: plain }
}

async function showMetrics(checks: Checks): Promise<Page> {
  const failing = new Set((await failingChecks(checks)).map(({ name }) => name))
  for (const check of Object.keys(checks)) failingCheck.set({ check }, failing.has(check) ? 1 : 0)
  return { status: 200, text: await metrics.metrics(), contentType: metrics.contentType }
}

interface FailingCheck {
  readonly name: string
  readonly reason: unknown
}

function describe({ name, reason }: FailingCheck): string {
  return reason instanceof NotReady ? `${name} (${reason.message})` : name
}

async function failingChecks(checks: Checks): Promise<FailingCheck[]> {
  const entries = Object.entries(checks)
  const results = await Promise.allSettled(
    entries.map(async ([check, ask]) => {
      const beganMs = performance.now()
      await ask().finally(() => {
        checkDuration.set({ check }, (performance.now() - beganMs) / 1_000)
      })
    }),
  )
  return entries.flatMap(([name], index) => {
    const result = results[index]
    return result?.status === 'rejected' ? [{ name, reason: result.reason as unknown }] : []
  })
}

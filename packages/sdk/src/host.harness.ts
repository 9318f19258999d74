import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Checkout } from './checkout'
import { Malipo, type MalipoOptions } from './malipo'

/** An answer of the host; with `silence` the host takes the request and never answers. */
export type Answer =
  | 'silence'
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }

export interface Host {
  readonly url: string
  /** The headers of the requests that came. */
  readonly requests: IncomingHttpHeaders[]
}

export const someKey = `mkp_test_${'ABC2'.repeat(13)}`

export const checkout: Checkout = {
  id: 'cs_ke_0123456789abcdef01234567',
  url: 'https://payments.example/c/cs_ke_0123456789abcdef01234567',
  status: 'open',
  amount: '150000',
  currency: 'KES',
  reference: null,
  description: null,
  return_url: null,
  expires_at: '2026-11-20T09:30:00.000Z',
  created_at: '2026-11-20T09:00:00.000Z',
  payment: null,
}
export const open: Answer = { body: { ok: true, data: checkout } }
export const completed: Answer = { body: { ok: true, data: { ...checkout, status: 'completed' } } }
/** The answer 429 of Malipo, after which the SDK sends the request again. */
export const busy = (retryAfter?: string): Answer => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: { ok: false, code: 1804, description: 'Too many requests', request_id: 'req_1' },
})

/** A host on this machine while `use` runs. It gives the answers in order, and the last one to all later requests. */
export async function withHost(
  answers: readonly Answer[],
  use: (host: Host) => Promise<void>,
): Promise<void> {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const answer = answers[requests.length] ?? answers.at(-1)
    requests.push(request.headers)
    give(response, answer ?? 'silence')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await use({ url: `http://127.0.0.1:${String(port)}`, requests }).finally(() => {
    server.closeAllConnections()
    server.close()
  })
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return
  const { status = 200, headers = {}, body = {} } = answer
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, headers).end(text)
}

export function clientOf({ url }: Host, options: Partial<MalipoOptions> = {}) {
  return new Malipo({ secretKey: someKey, baseUrl: url, ...options }).checkouts
}

/** The error of a call that must fail, and how long the call took. */
export async function failureOf(
  call: Promise<unknown>,
): Promise<{ readonly error: unknown; readonly ms: number }> {
  const startedAt = performance.now()
  const error = await call.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  return { error, ms: performance.now() - startedAt }
}

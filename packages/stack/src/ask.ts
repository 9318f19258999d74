import { type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Around {
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request before its deadline. */
  readonly signal?: AbortSignal
}

/**
 * Sends a request to one of our own processes: a POST of JSON when there is a body, otherwise a GET. `fetch` is not
 * used, because it costs the supervisor ten megabytes of memory.
 */
export function ask(
  url: string,
  deadlineMs: number,
  json?: object,
  { headers = {}, signal }: Around = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method: json ? 'POST' : 'GET',
      headers: {
        ...headers,
        connection: 'close',
        ...(json && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(deadlineMs),
      agent: false,
    } as const
    const outgoing = request(url, options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    outgoing.on('error', reject)
    signal?.addEventListener('abort', () => outgoing.destroy(new Error('stopped')), { once: true })
    outgoing.end(json && JSON.stringify(json))
  })
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Longer than any deadline of ours, so that only a service that hangs runs into it. */
const answerDeadlineMs = 15_000

/** Sends one request with a JSON body, or none, and reads a JSON answer of any status. Throws when no answer comes. */
export async function ask<Body>(
  url: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerDeadlineMs),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

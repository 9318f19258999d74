import { get } from 'node:http'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** A GET of one of our own processes. `fetch` would do it too, and cost the supervisor ten megabytes for the asking. */
export function ask(url: string, deadlineMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { signal: AbortSignal.timeout(deadlineMs), agent: false },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body })
        })
      },
    )
    request.on('error', reject)
  })
}

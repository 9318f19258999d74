import { randomInt } from 'node:crypto'
import { request as open } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Sent {
  readonly method?: string
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  readonly body?: object | string
  /** A list sends several headers of that name; undefined removes a default header. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** The client address that our proxy reports; a new one each time, unless a test is about addresses. */
  readonly from?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The parsed body; each test checks its type. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** Sends a request exactly as written, also a malformed one. */
export async function send(url: string, sent: Sent = {}): Promise<Reply> {
  const { body, method = body === undefined ? 'GET' : 'POST', from = anyAddress() } = sent
  const isObject = typeof body === 'object' && !(body instanceof Uint8Array)
  const payload = isObject ? JSON.stringify(body) : body
  const headers = Object.entries({
    'x-forwarded-for': from,
    'content-type': isObject ? 'application/json' : undefined,
    ...sent.headers,
  }).filter(([, value]) => value !== undefined)
  return new Promise((resolve, reject) => {
    const request = open(url, { method, headers: Object.fromEntries(headers), agent: false })
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then((answer) => {
        const status = response.statusCode ?? 0
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        resolve({
          status,
          headers: response.headers as Reply['headers'],
          text: answer,
          body: isJson && answer !== '' ? JSON.parse(answer) : undefined,
        })
      }, reject)
    })
    request.end(payload)
  })
}

/** Addresses of the network reserved for tests (RFC 2544). */
function anyAddress(): string {
  return `198.${String(18 + randomInt(2))}.${String(randomInt(256))}.${String(randomInt(256))}`
}

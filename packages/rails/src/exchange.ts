/** One HTTP exchange with a provider, and how it ended. What the answer means is the rail's to say. */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      readonly body: Uint8Array
    }
  /** Proven: no byte of the request left us. */
  | { readonly kind: 'not_sent'; readonly detail: string }
  /** The request may have arrived; its answer did not. */
  | { readonly kind: 'lost'; readonly detail: string }

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** From the first byte out to the last byte in. */
  readonly timeoutMs: number
  readonly bodyBytesMax: number
}

/** Never throws, follows no redirect (it would repeat a prompt), and stops reading at the given maximum. */
export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  return fetch(request.url, {
    method: request.method,
    headers: request.headers,
    redirect: 'error',
    signal: AbortSignal.timeout(request.timeoutMs),
    ...(request.body === undefined ? {} : { body: request.body }),
  })
    .then(async (response): Promise<Exchange> => {
      const body = await readBounded(response, request.bodyBytesMax)
      const { status, headers } = response
      return { kind: 'answered', status, headers, body }
    })
    .catch(brokenOff)
}

async function readBounded(response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream: AsyncIterable<Uint8Array> | null = response.body
  if (stream === null) return Buffer.of()
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    // Leaving the loop by a throw also cancels the stream, and so closes the socket.
    if (bytes > bytesMax) throw new Error('answer too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Name resolution and connection setup come before the first byte, so these prove that nothing was sent. */
const beforeTheWire = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])
/** These prove it only where connecting was what failed: later they may follow a request that arrived. */
const whileConnecting = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function brokenOff(error: unknown): Exchange {
  // fetch wraps the network's own error; a timeout comes unwrapped.
  const cause = fieldOf(error, 'cause') ?? error
  const code = textOf(cause, 'code')
  const notSent =
    beforeTheWire.has(code) || (whileConnecting.has(code) && textOf(cause, 'syscall') === 'connect')
  const detail = code === '' ? `${textOf(cause, 'name')}: ${textOf(cause, 'message')}` : code
  return { kind: notSent ? 'not_sent' : 'lost', detail: detail.slice(0, 200) }
}

function textOf(value: unknown, key: string): string {
  const field = fieldOf(value, key)
  return typeof field === 'string' ? field : ''
}

/** Errors of fetch may come from another realm, so they are asked for their fields and not for their class. */
function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** The JSON of a provider's body, or undefined when it is none: cut off, HTML, empty, or not UTF-8. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // A provider's body is input, so being no JSON is an answer to the question and no fault.
    return undefined
  }
}

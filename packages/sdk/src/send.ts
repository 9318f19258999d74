import type { Checkout } from './checkout'
import { type ErrorBody, MalipoConnectionError, MalipoError } from './errors'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The wait requested from the host. */
  readonly waitMs?: number
}

export interface Channel {
  readonly secretKey: string
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** The outcome of one request: an answer, or why there is none. */
export interface Sent {
  readonly response?: Response
  readonly text: string
  readonly error?: unknown
  readonly mayBeSentAgain: boolean
}

const repeatable = new Set([429, 500, 502, 503, 504])

/** Sends one request. Throws only when the caller's own signal ends it. */
export async function send(request: Request, channel: Channel): Promise<Sent> {
  const { method, path, headers, body, waitMs = 0 } = request
  const ends = [AbortSignal.timeout(channel.timeoutMs + waitMs), channel.signal ?? []].flat()
  try {
    const response = await fetch(new URL(path, channel.baseUrl), {
      method,
      headers: { ...headers, authorization: `Bearer ${channel.secretKey}` },
      signal: AbortSignal.any(ends),
      // A redirect would send the key to another host.
      redirect: 'error',
      ...(body !== undefined && { body }),
    })
    const text = await readText(response)
    return { response, text, mayBeSentAgain: repeatable.has(response.status) }
  } catch (error) {
    channel.signal?.throwIfAborted()
    return { text: '', error, mayBeSentAgain: true }
  }
}

/** A checkout is a kilobyte: what goes on for longer is not of Malipo, and would fill the memory of a shop. */
const answerBytesMax = 1_000_000

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Node's streams are iterable, which the types of browsers do not know.
  const chunks = (body ?? []) as AsyncIterable<Uint8Array>
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > answerBytesMax) throw new Error('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The delay from `Retry-After`, at most a minute. */
export function retryAfterMs({ response }: Sent): number | undefined {
  const seconds = response?.headers.get('retry-after')
  return seconds != null && /^\d+$/.test(seconds)
    ? Math.min(60, Number(seconds)) * 1_000
    : undefined
}

/** The checkout in an answer, or its error. */
export function readAnswer({ response, text, error }: Sent): {
  readonly data: Checkout
  /** The host applied the requested wait. */
  readonly wasHeld: boolean
} {
  if (response === undefined) throw new MalipoConnectionError('Malipo did not answer', error)
  const body = parse(text)
  if (response.ok && body?.ok === true) {
    return { data: body.data, wasHeld: response.headers.has('preference-applied') }
  }
  if (body?.ok === false) throw new MalipoError(response.status, body)
  const what = `${String(response.status)} from ${new URL(response.url).host}`
  throw new MalipoConnectionError(`This is no answer of Malipo: ${what}. Is baseUrl right?`)
}

type Body = ({ readonly ok: false } & ErrorBody) | { readonly ok: true; readonly data: Checkout }

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body
  } catch {
    return undefined
  }
}

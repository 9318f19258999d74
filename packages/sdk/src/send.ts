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

/** Sends one request. Throws when the caller's own signal ends it, and for a request that cannot be sent at all. */
export async function send(request: Request, channel: Channel): Promise<Sent> {
  const { method, path, headers, body } = request
  const timeout = AbortSignal.timeout(channel.timeoutMs)
  // Before Node 22.16 and 24.0, AbortSignal.any lets the timeout be garbage-collected; the listener prevents that.
  timeout.addEventListener('abort', () => undefined)
  const ends = [timeout, channel.signal ?? []].flat()
  // The URL is made outside of the try, because no retry helps against a wrong baseUrl.
  const url = new URL(path, channel.baseUrl)
  const sent: RequestInit = {
    method,
    headers: new Headers({ ...headers, authorization: `Bearer ${channel.secretKey}` }),
    signal: AbortSignal.any(ends),
    // A redirect is returned as the answer: fetch would follow it, and send the order to another host without the key.
    redirect: 'manual',
    ...(body !== undefined && { body }),
  }
  try {
    const response = await fetch(url, sent)
    const text = await readText(response)
    const mayBeSentAgain = response.status === 429 || response.status >= 500
    return { response, text, mayBeSentAgain }
  } catch (error) {
    channel.signal?.throwIfAborted()
    return { text: '', error, mayBeSentAgain: true }
  }
}

/** A checkout is a kilobyte. A far longer answer is not from Malipo, and would fill the memory of a shop. */
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

/** The pause that the host asks for with `Retry-After`, in seconds or as a date. */
export function retryAfterMs({ response }: Sent): number | undefined {
  const text = response?.headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

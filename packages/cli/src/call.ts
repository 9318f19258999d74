import { MalipoConnectionError } from '@malipo/sdk'

export interface Call {
  readonly url: string
  readonly signal: AbortSignal
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly deadlineMs?: number
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** From the request to the last byte of the answer. */
  readonly ms: number
}

const answerMs = 10_000
/** Far more than any answer has: the longest one, the OpenAPI document, has a tenth of a megabyte. */
const answerBytesMax = 4_000_000

/** Sends one request, once. Throws MalipoConnectionError without an answer, or the reason of the aborted `signal`. */
export async function call({
  url,
  signal,
  deadlineMs = answerMs,
  ...request
}: Call): Promise<Answered> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(deadlineMs)
  // Before Node 22.16 and 24.0, AbortSignal.any lets the timeout be garbage-collected; the listener prevents that.
  timeout.addEventListener('abort', () => undefined)
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    const text = await readText(response)
    const ms = Math.round(performance.now() - startedAt)
    return { status: response.status, headers: response.headers, text, ms }
  } catch (error) {
    signal.throwIfAborted()
    throw new MalipoConnectionError(`${new URL(url).origin} did not answer`, error)
  }
}

/** Reads the body and stops after `answerBytesMax` bytes, because an answer may never end. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > answerBytesMax) break
  }
  return Buffer.concat(chunks).toString()
}

/** Undefined when the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

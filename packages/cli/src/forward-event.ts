import type { IncomingMessage, RequestListener } from 'node:http'
import { verifyWebhook } from '@malipo/sdk'
import { call, jsonOf } from './call'
import { orReason } from './check'
import { plain } from './output'

export interface Forwarded {
  readonly at: string
  readonly webhook_id: string
  readonly type: string
  /** The id of the checkout; for a test event, of the endpoint. */
  readonly id: string
  /** The status that the developer's server returned; null when it did not answer. */
  readonly status: number | null
  readonly failure: string | null
  readonly ms: number
  /** Null when MALIPO_WEBHOOK_SECRET is not set. */
  readonly signature: 'right' | 'wrong' | null
}

export interface ForwardOptions {
  readonly target: string
  readonly secret: string | undefined
  readonly signal: AbortSignal
}

/** An event of Malipo has a few hundred bytes. */
const bodyBytesMax = 65_536
/** Malipo gives up on a webhook after ten seconds, so the local server has to answer before that. */
const answerMs = 9_000
const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Forwards each event with the signed bytes and headers unchanged, and returns the server's status, by which Malipo
 * decides whether to send again. A page in a browser cannot send anything here, because it may not set these headers.
 */
export function forwardEvents(
  options: ForwardOptions,
  show: (event: Forwarded) => void,
): RequestListener {
  return (request, response) => {
    const handled = async () => {
      const headers = headersOf(request)
      if (request.method !== 'POST' || headers === undefined) {
        return response.writeHead(400).end('This takes signed webhooks of Malipo only\n')
      }
      const body = await readBody(request)
      if (body === undefined) return response.writeHead(413, { connection: 'close' }).end()
      const event = await forward(body, headers, options)
      show(event)
      return response.writeHead(event.status ?? 502).end()
    }
    // The sender disconnected, or Ctrl-C was pressed. Malipo sends an event without an answer again.
    handled().catch(() => response.destroy())
  }
}

type SignedHeaders = Readonly<Record<string, string>>

/** The signed headers and the content type; undefined when the request is no webhook. */
function headersOf({ headers }: IncomingMessage): SignedHeaders | undefined {
  const found = signedHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  if (found.length < signedHeaders.length) return undefined
  return {
    ...Object.fromEntries(found),
    'content-type': headers['content-type'] ?? 'application/json',
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > bodyBytesMax) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

async function forward(
  body: Buffer<ArrayBuffer>,
  headers: SignedHeaders,
  { target, secret, signal }: ForwardOptions,
): Promise<Forwarded> {
  const startedAt = performance.now()
  const sent = call({ url: target, method: 'POST', headers, body, signal, deadlineMs: answerMs })
  const result = await orReason(sent, signal)
  const event = jsonOf(body.toString()) as { type?: unknown; data?: { id?: unknown } } | undefined
  return {
    at: new Date().toISOString(),
    webhook_id: headers['webhook-id'] ?? '',
    type: textOf(event?.type),
    id: textOf(event?.data?.id),
    ...('value' in result
      ? { status: result.value.status, failure: null }
      : { status: null, failure: result.reason.what }),
    ms: Math.round(performance.now() - startedAt),
    signature: secret === undefined ? null : judge(body, headers, secret),
  }
}

function judge(body: Buffer, headers: SignedHeaders, secret: string): 'right' | 'wrong' {
  try {
    verifyWebhook(body, headers, secret)
    return 'right'
  } catch {
    return 'wrong'
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? plain(value).slice(0, 100) : '?'
}

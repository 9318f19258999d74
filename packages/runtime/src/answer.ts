import type { ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { success } from '@malipo/interface/envelopes'

/** The response of an operation. The HTTP handler writes it unchanged. */
export interface Answer {
  readonly status: number
  /** Several values for a repeated header, such as `Set-Cookie`. */
  readonly headers: AnswerHeaders
  readonly body: string
  /** Sent in place of `body`. Destroyed when the client disconnects. */
  readonly stream?: Readable
}

export type AnswerHeaders = Readonly<Record<string, string | string[]>>

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export function jsonAnswer(status: number, envelope: object, headers: AnswerHeaders = {}): Answer {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(envelope) }
}

/** A success answer in the envelope of the public interface: a message, and `data`. */
export function succeed(
  status: 200 | 201 | 202,
  description: string,
  data: object,
  headers: AnswerHeaders = {},
): Answer {
  return jsonAnswer(status, success(description, data), headers)
}

/** A page that no cache stores and no search engine indexes. */
export function htmlAnswer(status: number, body: string, headers: AnswerHeaders = {}): Answer {
  const own = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
  return { status, headers: { ...own, ...headers }, body }
}

/** Sends the browser on with a GET, mostly to a page that shows the current state. */
export function redirectTo(location: string, headers: AnswerHeaders = {}): Answer {
  const own = { Location: location, 'Cache-Control': 'no-store' }
  return { status: 303, headers: { ...own, ...headers }, body: '' }
}

/** Sends an answer in one write: with a `Content-Length`, Node does not split the body into chunks. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, body, stream } = answer
  if (body !== '') response.setHeader('Content-Length', Buffer.byteLength(body))
  response.writeHead(status, headers)
  // A stream fails only when its client has disconnected, so the error is ignored.
  if (stream) pipeline(stream, response, () => undefined)
  else response.end(body)
}

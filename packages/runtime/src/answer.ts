import type { ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { success } from '@malipo/interface/envelopes'

/** What an operation answers: written once, by the handler, as it is. */
export interface Answer {
  readonly status: number
  /** Several values where a header stands several times, as `Set-Cookie` may. */
  readonly headers: AnswerHeaders
  readonly body: string
  /** Sent instead of the body, as it comes. Destroyed when the client goes away. */
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

/** A success of the interface: what it is called, and its `data`. */
export function succeed(
  status: 200 | 201 | 202,
  description: string,
  data: object,
  headers: AnswerHeaders = {},
): Answer {
  return jsonAnswer(status, success(description, data), headers)
}

/** Sends an answer whole: with its length it is one write, and without it Node sends it in chunks. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, body, stream } = answer
  if (body !== '') response.setHeader('Content-Length', Buffer.byteLength(body))
  response.writeHead(status, headers)
  // A stream that fails has lost its client.
  if (stream) pipeline(stream, response, () => undefined)
  else response.end(body)
}

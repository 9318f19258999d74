import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FieldError, Fault } from '@malipo/kernel/errors'
import { presentFault } from './present-fault'

/** How long a client may take to read the error and disconnect. */
const lingerMs = 1_000

const unreadable = { path: 'request', message: 'must be HTTP/1.1 with at most 16 KB of headers' }

/**
 * Answers a malformed HTTP request: too many headers, an invalid length, other bytes. There is no request object, so
 * the answer is written directly, and the connection closes. Closing our half is not enough: a silent client would
 * hold the other half for ever, and 2,000 of those would take every connection.
 */
export function refuseUnreadable(
  error: Error,
  socket: Duplex,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, head, body } = refusal(unreadable, error)
  const lines = Object.entries({ ...headers, ...head }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${String(status)} Bad Request\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Answers a request that is ambiguous or one too many on its connection, and closes the connection. */
export function answerUnreadable(field: FieldError, response: ServerResponse): void {
  const { status, head, body } = refusal(field)
  response.writeHead(status, head).end(body)
}

function refusal(field: FieldError, cause?: Error) {
  const requestId = randomUUID()
  const fault = new Fault('invalid_request', {}, cause, { fields: [field] })
  const { status, headers, body } = presentFault(fault, requestId)
  const head = {
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  return { status, head, body }
}

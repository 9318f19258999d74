import { refuseField } from './validate'

/** Visible ASCII, no space: what every client library can send and every log can show. */
export const idempotencyKeyShape = /^[\x21-\x7e]{1,128}$/
const quoted = /^"(.*)"$/

/**
 * The Idempotency-Key of a request, undefined when there is none. One pair of surrounding quotes is dropped, because
 * the header's draft standard writes it as a quoted string.
 *
 * `rawHeaders` as Node has them, `[name, value, name, value, …]`: Node joins two headers of one name with a comma,
 * which would make one wrong key of two. Fault: invalid_request.
 */
export function readIdempotencyKey(rawHeaders: readonly string[]): string | undefined {
  const values = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'idempotency-key' && index % 2 === 1,
  )
  const [value, second] = values
  if (value === undefined) return undefined
  if (second !== undefined) return refuse('must be sent once')
  const key = quoted.exec(value)?.[1] ?? value
  return idempotencyKeyShape.test(key) ? key : refuse('must be 1 to 128 visible ASCII characters')
}

export function requireIdempotencyKey(rawHeaders: readonly string[]): string {
  return readIdempotencyKey(rawHeaders) ?? refuse('is required')
}

function refuse(message: string): never {
  return refuseField('Idempotency-Key', message)
}

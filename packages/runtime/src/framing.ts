import type { IncomingMessage } from 'node:http'
import type { FieldError } from '@malipo/kernel/errors'

const oneHost = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-fA-F:.]+\](?::\d{1,5})?$/

/**
 * Why the framing of a request is ambiguous although Node accepts it: a proxy may see another request (RFC 9112, 3.2
 * and 6.1). Undefined when it is not.
 */
export function framingError(request: IncomingMessage): FieldError | undefined {
  const hosts = valuesOf(request, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
    return { path: 'Host', message: 'must be sent exactly once' }
  }
  // Some proxies join repeated headers into one.
  if (hosts.some((host) => !oneHost.test(host))) {
    return { path: 'Host', message: 'must be one host name, with a port or without' }
  }
  const codings = valuesOf(request, 'transfer-encoding')
  const isChunked = codings.length === 1 && codings[0]?.trim().toLowerCase() === 'chunked'
  if (codings.length > 0 && (!isChunked || request.httpVersion !== '1.1')) {
    return { path: 'Transfer-Encoding', message: 'must be chunked and nothing else, in HTTP/1.1' }
  }
  return undefined
}

/** All values of a header in the order sent, because Node's own list drops or joins repeated headers. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}

import type { IncomingMessage } from 'node:http'
import { type RawBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'

/** The body of a request, at most `bytesMax`. Nothing of a longer one is kept. Fault: invalid_request. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { bytes, isWhole } = await readUpTo(request, bytesMax)
  if (!isWhole) refuseField('body', `must be at most ${String(bytesMax)} bytes`)
  return bytes
}

/** The first `bytesMax` of a body, for callers that accept a truncated one. */
export async function readStart(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return (await readUpTo(request, bytesMax)).bytes
}

/** Returns no more than `bytesMax`. The rest of a longer body is read and dropped, within the request timeout. */
async function readUpTo(
  request: IncomingMessage,
  bytesMax: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      if (length < bytesMax) chunks.push(chunk)
      length += chunk.length
      if (length > bytesMax) resolve()
    })
    request.on('end', resolve)
    request.on('error', (error) => {
      reject(new Fault('invalid_request', {}, error))
    })
  })
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: length <= bytesMax }
}

/**
 * The limit for JSON routes. The longest texts of a checkout are 2,252 characters, and a client may escape each in
 * twelve bytes.
 */
const jsonBytesMax = 32_768

/** Faults: invalid_request for a body that is too long, or has another transfer coding than chunked. */
export async function readRawBody(request: IncomingMessage): Promise<RawBody> {
  // Node decodes chunks, and leaves any earlier coding in place.
  if ((request.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    refuseField('Transfer-Encoding', 'must be chunked and nothing else')
  }
  return {
    // All Content-Type headers are joined: Node shows only the first of two, and a proxy may use the second.
    contentType: request.headersDistinct['content-type']?.join(', '),
    contentEncoding: request.headers['content-encoding'],
    bytes: await readBytes(request, jsonBytesMax),
  }
}

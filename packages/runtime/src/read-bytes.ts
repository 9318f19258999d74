import type { IncomingMessage } from 'node:http'
import { type RawBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'

/** The body of a request, at most `bytesMax` of it. Of a longer one nothing is kept. Fault: invalid_request. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { bytes, isWhole } = await readUpTo(request, bytesMax)
  if (!isWhole) refuseField('body', `must be at most ${String(bytesMax)} bytes`)
  return bytes
}

/** The first `bytesMax` of a body, for who would rather have a part of it than none. */
export async function readStart(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return (await readUpTo(request, bytesMax)).bytes
}

/** What is left of a longer body Node throws away within the time that a request has. */
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
 * What the JSON routes take. The longest texts of a checkout are 2,252 characters, and a client that escapes what is
 * not ASCII may write each in twelve bytes.
 */
const jsonBytesMax = 32_768

/** Faults: invalid_request for a body that is too long, or coded for its way in another manner than in chunks. */
export async function readRawBody(request: IncomingMessage): Promise<RawBody> {
  // Node takes a body apart that is in chunks, and leaves whatever was done to it before as it is.
  if ((request.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    refuseField('Transfer-Encoding', 'must be chunked and nothing else')
  }
  return {
    // Of two such headers Node would show the first, and a proxy may go by the other.
    contentType: request.headersDistinct['content-type']?.join(', '),
    contentEncoding: request.headers['content-encoding'],
    bytes: await readBytes(request, jsonBytesMax),
  }
}

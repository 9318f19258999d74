import type { z } from 'zod'
import { parseStrictJson } from './strict-json'
import { refuseField, validate } from './validate'

/** A body as it arrived: its bytes, and the headers that say how to read them. */
export interface RawBody {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly bytes: Uint8Array
}

/** UTF-8 is the only charset, because with two of them two readers could decode one body differently. */
const jsonType = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

/** Reads the JSON body of a request, whose fields `ofLines` may have tabs and line breaks. Fault: invalid_request. */
export function readJsonBody<Schema extends z.ZodType>(
  schema: Schema,
  raw: RawBody,
  ofLines?: readonly string[],
): z.output<Schema> {
  if (!jsonType.test(raw.contentType ?? '')) {
    refuseField('Content-Type', 'must be application/json, in UTF-8')
  }
  if ((raw.contentEncoding ?? 'identity') !== 'identity') {
    refuseField('Content-Encoding', 'must not be set: bodies are small')
  }
  return validate(schema, parseStrictJson(raw.bytes, ofLines))
}

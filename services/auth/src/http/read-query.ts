import type { IncomingMessage } from 'node:http'
import { validate } from '@malipo/interface/validate'
import type { z } from 'zod'

/** The query of a request, each parameter once. Fault: invalid_request. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  request: Pick<IncomingMessage, 'url'>,
): z.output<Schema> {
  const { searchParams } = new URL(request.url ?? '', 'http://hub')
  return validate(schema, Object.fromEntries(searchParams))
}

import type { IncomingMessage } from 'node:http'
import { refuseField, validate } from '@malipo/interface/validate'
import type { z } from 'zod'

/**
 * Parses a query in which each parameter comes at most once, without control characters: PostgreSQL accepts no NUL.
 * Fault: invalid_request.
 */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  request: Pick<IncomingMessage, 'url'>,
): z.output<Schema> {
  const { searchParams } = new URL(request.url ?? '', 'http://hub')
  for (const [name, value] of searchParams) {
    if (/\p{Cc}/u.test(value)) refuseField(name, 'must not have control characters')
  }
  return validate(schema, Object.fromEntries(searchParams))
}

import { idempotencyKeyShape } from '../idempotency-key'
import type { Operation } from './operation'
import { inputSchema } from './schemas'

/** What stands in the path and the headers of a request. */
export function parameters({ place, idempotencyKey }: Operation): object[] {
  const placed = place && {
    name: place.name,
    in: 'path',
    required: true,
    description: place.rule,
    schema: inputSchema(place.schema),
    example: place.example,
  }
  const key = idempotencyKey && {
    name: 'Idempotency-Key',
    in: 'header',
    required: idempotencyKey === 'required',
    description:
      'One for each wish. A repeat with the same input is answered with what the first made.',
    schema: { type: 'string', pattern: idempotencyKeyShape.source },
    example: 'order-1001',
  }
  const traced = {
    name: 'traceparent',
    in: 'header',
    required: false,
    description: 'W3C Trace Context, passed on.',
    schema: { type: 'string' },
  }
  return [placed, key, traced].filter((parameter) => parameter !== undefined)
}

import { idempotencyKeyShape } from '../idempotency-key'
import type { Operation } from './operation'
import { inputSchema } from './schemas'

export function parameters({ place, idempotencyKey, mayWait }: Operation): object[] {
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
  const waiting = mayWait && {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N`, N at most 60 (RFC 7240): answered when `status` or `payment.status` changes, else after N seconds. Anything else is ignored.',
    schema: { type: 'string' },
    example: 'wait=30',
  }
  const traced = {
    name: 'traceparent',
    in: 'header',
    required: false,
    description: 'W3C Trace Context, linked from our trace of the request.',
    schema: { type: 'string' },
  }
  return [placed, key, waiting, traced].filter((parameter) => parameter !== undefined)
}

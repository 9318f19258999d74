import { errors, type Fault } from '@malipo/kernel/errors'
import { z } from 'zod'

/** The two envelopes of every JSON answer (interface, Errors; docs/decisions/0008-error-bodies.md). */
export interface Success<Data> {
  readonly ok: true
  readonly description: string
  readonly data: Data
}

export const failureSchema = z.strictObject({
  ok: z.literal(false),
  /** The number of the interface's error table. */
  code: z.int(),
  description: z.string(),
  request_id: z.string(),
  /** Where the request is wrong; only with code 1701. */
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
})
export type Failure = z.infer<typeof failureSchema>

export function successSchema<Data extends z.ZodType>(description: string, data: Data) {
  return z.strictObject({ ok: z.literal(true), description: z.literal(description), data })
}

export function success<Data>(description: string, data: Data): Success<Data> {
  return { ok: true, description, data }
}

/** What a caller reads of a fault: its number and texts, and the fields when the request was wrong. Never its facts. */
export function failure(fault: Fault, requestId: string): Failure {
  return {
    ok: false,
    code: errors[fault.reason].code,
    description: fault.description,
    request_id: requestId,
    ...(fault.reason === 'invalid_request' && { errors: [...fault.fields] }),
  }
}

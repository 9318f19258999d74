import { errors, type Fault } from '@malipo/kernel/errors'
import { z } from 'zod'

/** The two envelopes of every JSON answer (interface, Errors; docs/decisions/0008-error-bodies.md). */
export interface Success<Data> {
  readonly ok: true
  readonly description: string
  readonly data: Data
}

export const failureSchema = z.strictObject({
  ok: z.literal(false).describe('False in every refusal'),
  code: z.int().describe('What was refused: `/docs/errors/CODE` says what to do'),
  description: z.string().describe('For a developer, in English. Decide by `code`'),
  request_id: z.string().describe('Name it when you ask us about this answer'),
  errors: z
    .array(
      z.strictObject({
        path: z.string().describe('The field, header or part of the path'),
        message: z.string().describe('What it must be'),
      }),
    )
    .optional()
    .describe('Where the request is wrong; with code 1701 only'),
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

import { Fault, type FieldError } from '@malipo/kernel/errors'
import type { z } from 'zod'

/** As many as a person would mend at once; a body of thousands of unknown fields gets no answer of thousands. */
const fieldErrorsMax = 20
const pathLengthMax = 64

/** Checks input against a schema. Fault: invalid_request, with every field that is wrong. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.flatMap(fieldErrorsOf).slice(0, fieldErrorsMax)
  throw new Fault('invalid_request', {}, undefined, fields)
}

/** One field that is wrong for a reason that a schema alone cannot see. */
export function refuseField(path: string, message: string): never {
  throw new Fault('invalid_request', {}, undefined, [{ path, message }])
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join('.').slice(0, pathLengthMax),
      message: 'is not a field of this request',
    }))
  }
  return [{ path: issue.path.join('.').slice(0, pathLengthMax), message: issue.message }]
}

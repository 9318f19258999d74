import { Fault, type FieldError } from '@malipo/kernel/errors'
import type { z } from 'zod'

/** Enough to fix at once, and a bound on the answer to a body with thousands of unknown fields. */
const fieldErrorsMax = 20
const pathLengthMax = 64

/** Checks input against a schema. Fault: invalid_request, with the fields that are wrong, twenty at most. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, {
    error: (issue) => messageOf(issue),
  })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.flatMap(fieldErrorsOf).slice(0, fieldErrorsMax)
  throw new Fault('invalid_request', {}, undefined, { fields })
}

/** Refuses one field for a reason that a schema alone cannot see. Fault: invalid_request. */
export function refuseField(path: string, message: string): never {
  throw new Fault('invalid_request', {}, undefined, { fields: [{ path, message }] })
}

const kinds: Readonly<Record<string, string>> = {
  int: 'an integer',
  // No number of the interface has a fraction; `strict-json.ts` refuses it.
  number: 'an integer',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

/** What a field must be, where its schema does not say so itself: `must be an integer, not text`. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required'
  if (issue.code !== 'invalid_type') return undefined
  const wanted = kinds[issue.expected]
  return wanted && `must be ${wanted}, not ${kindOf(issue.input)}`
}

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  return kinds[typeof input] ?? typeof input
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

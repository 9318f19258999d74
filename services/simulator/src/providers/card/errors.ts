import { has, jsonAnswer, type Refused, type WireAnswer } from '../rules/rail'

/** The gateway's errors by name: HTTP status, cause, and the sentence that explains it. All have one shape. */
const errors = {
  invalid_request: [400, 'INVALID_REQUEST', 'Missing or unexpected parameter'],
  not_authorised: [
    400,
    'INVALID_REQUEST',
    'Authenticated entity not authorised to perform operation for target entity',
  ],
  wrong_credentials: [401, 'INVALID_REQUEST', 'Invalid credentials.'],
  not_found: [400, 'INVALID_REQUEST', 'Unable to find order'],
  rejected: [400, 'REQUEST_REJECTED', 'The request was rejected by a rule'],
  spike_arrest: [429, 'SERVER_BUSY', 'Too many requests'],
  busy: [503, 'SERVER_BUSY', 'Server is busy'],
  internal: [500, 'SERVER_FAILED', 'Server failed'],
} as const satisfies Record<string, readonly [number, string, string]>

type CardError = keyof typeof errors

export const errorNames: readonly string[] = Object.keys(errors)

/**
 * An unknown name gives `internal`, because a rule for all rails may name an error that only another rail has. `detail`
 * replaces the sentence.
 */
export function errorAnswer(name: string, detail?: string): WireAnswer {
  const [status, cause, explanation] = errors[has(errors, name) ? name : 'internal']
  return jsonAnswer(status, {
    error: { cause, explanation: detail ?? explanation },
    result: 'ERROR',
  })
}

export function refuse(error: CardError, detail?: string): Refused {
  return { kind: 'refused', answer: errorAnswer(error, detail), why: detail ?? error }
}

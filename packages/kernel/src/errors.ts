/**
 * Every error of Malipo, once: its public number, its HTTP and gRPC status, whether a retry can help, and the message.
 * Numbers come from the interface (section Errors); those that it does not have are ours (decision 0008). They are
 * appended, never reused.
 */
export const errors = {
  invalid_request: {
    code: 1701,
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: false,
    description: 'The request is not valid',
  },
  route_not_found: {
    code: 1704,
    http: 404,
    grpc: 'UNIMPLEMENTED',
    retry: false,
    description: 'There is no such route',
  },
  internal: {
    code: 1500,
    http: 500,
    grpc: 'INTERNAL',
    retry: true,
    description: 'Something went wrong on our side',
  },
  unavailable: {
    code: 1503,
    http: 503,
    grpc: 'UNAVAILABLE',
    retry: true,
    description: 'The service did not answer',
  },
  rate_limited: {
    code: 1804,
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: true,
    description: 'Too many requests',
  },
  amount_outside_limits: {
    code: 2702,
    http: 422,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'The amount is outside the limits of this country',
  },
  intent_not_found: {
    code: 2706,
    http: 404,
    grpc: 'NOT_FOUND',
    retry: false,
    description: 'No intent with this id',
  },
  handle_not_found: {
    code: 2710,
    http: 404,
    grpc: 'NOT_FOUND',
    retry: false,
    description: 'No account with this name',
  },
  ledger_unavailable: {
    code: 2752,
    http: 503,
    grpc: 'UNAVAILABLE',
    retry: true,
    description: 'The ledger did not answer',
  },
  card_off: {
    code: 2771,
    http: 422,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'Card is off for this checkout',
  },
  origin_not_allowed: {
    code: 2776,
    http: 403,
    grpc: 'PERMISSION_DENIED',
    retry: false,
    description: 'The page origin is not allowed',
  },
  key_refused: {
    code: 2781,
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: false,
    description: 'The secret key is missing, malformed, unknown or revoked',
  },
  keys_unavailable: {
    code: 2782,
    http: 503,
    grpc: 'UNAVAILABLE',
    retry: true,
    description: 'The key service did not answer',
  },
  checkout_not_found: {
    code: 2783,
    http: 404,
    grpc: 'NOT_FOUND',
    retry: false,
    description: 'No checkout with this id',
  },
  checkout_expired: {
    code: 2784,
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'The checkout has expired',
  },
  checkout_paid: {
    code: 2785,
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'The checkout is already paid',
  },
  payment_in_progress: {
    code: 2786,
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: true,
    description: 'Another payment for this checkout is in progress',
  },
  idempotency_mismatch: {
    code: 2787,
    http: 422,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'This Idempotency-Key was used with different input',
  },
  sign_in_refused: {
    code: 3001,
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: false,
    description: 'The username or the password is wrong',
  },
  wrong_pin: {
    code: 3002,
    http: 403,
    grpc: 'PERMISSION_DENIED',
    retry: false,
    description: 'This is not the PIN',
  },
  pin_locked: {
    code: 3003,
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: true,
    description: 'The PIN is locked after too many wrong tries',
  },
  handle_taken: {
    code: 3004,
    http: 409,
    grpc: 'ALREADY_EXISTS',
    retry: false,
    description: 'This handle is taken',
  },
  sign_in_required: {
    code: 3005,
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: false,
    description: 'Sign in first',
  },
  csrf_refused: {
    code: 3006,
    http: 403,
    grpc: 'PERMISSION_DENIED',
    retry: false,
    description: 'The request did not come from a page of ours',
  },
  pin_not_set: {
    code: 3007,
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
    description: 'The account has no PIN yet',
  },
  pin_not_proven: {
    code: 3008,
    http: 500,
    grpc: 'PERMISSION_DENIED',
    retry: true,
    description: 'The key service did not accept the proof of the PIN',
  },
} as const satisfies Record<string, ErrorRow>

export type Reason = keyof typeof errors

interface ErrorRow {
  readonly code: number
  readonly http: number
  readonly grpc: string
  /** Whether repeating the same request later can succeed. */
  readonly retry: boolean
  readonly description: string
}

/** Facts for the log and, where an entry point says so, for the caller. Never a key, a PIN or a whole phone number. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/** One refused field of a request: its path, and how to fix it. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

/** The texts that an error answer has beside its number. */
export interface FaultTexts {
  /** Replaces the reason's description, where more is known. */
  readonly description?: string
  readonly fields?: readonly FieldError[]
}

/**
 * The error of a row of `errors`. It is thrown where the rule is, and presented once, at an entry point: gRPC puts the
 * reason in trailing metadata, HTTP renders the envelope, a job logs it.
 */
export class Fault extends Error {
  readonly reason: Reason
  readonly facts: Facts
  readonly description: string
  readonly fields: readonly FieldError[]

  constructor(reason: Reason, facts: Facts = {}, cause?: unknown, texts: FaultTexts = {}) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'Fault'
    this.reason = reason
    this.facts = facts
    this.description = texts.description ?? errors[reason].description
    this.fields = texts.fields ?? []
  }
}

export function isReason(text: string): text is Reason {
  return Object.hasOwn(errors, text)
}

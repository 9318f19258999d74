/** An error response of the auth host, with its message. */
export class Refusal extends Error {
  readonly code: number
  readonly requestId: string
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  /** `tries_left` after a wrong PIN; `retry_after_seconds` after a locked PIN or a rate limit. */
  readonly details: Readonly<Record<string, number>>

  constructor(envelope: FailureEnvelope) {
    super(envelope.description)
    this.code = envelope.code
    this.requestId = envelope.request_id
    this.fields = envelope.errors ?? []
    this.details = envelope.details ?? {}
  }
}

interface FailureEnvelope {
  readonly code: number
  readonly description: string
  readonly request_id: string
  readonly errors?: Refusal['fields']
  readonly details?: Refusal['details']
}

export const codes = {
  signInRefused: 3001,
  handleTaken: 3004,
  signInRequired: 3005,
  csrfRefused: 3006,
} as const

/** The message beside the field for a handle that is taken, or looks like a taken one. */
export const takenText = 'is taken, looks like a taken one, or is reserved; choose another'

const deadlineMs = 15_000
let csrfToken = ''

/**
 * Sets the CSRF token, which every request sends but the one for `/session`. Only pages of our own origin can read the
 * token. A page that still shows an earlier session sends that session's token, so the server refuses its requests; it
 * can read the browser's new session without a token.
 */
export function setCsrfToken(token: string): void {
  csrfToken = token
}

const whenRefused: ((refusal: Refusal) => void)[] = []

export function onRefusal(listen: (refusal: Refusal) => void): void {
  whenRefused.push(listen)
}

/** Calls the auth host, and returns its `data`. Throws a Refusal; code 0 means that no answer came. */
export async function ask<Data>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) {
  const answer = await fetch(`/v1/hub${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(path !== '/session' && { 'X-CSRF-Token': csrfToken }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    signal: AbortSignal.timeout(deadlineMs),
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const envelope: unknown = await answer?.json().catch(() => undefined)
  if (answer?.ok === true && envelope !== undefined) return (envelope as { data: Data }).data
  const refusal = new Refusal((envelope as FailureEnvelope | undefined) ?? noAnswer)
  for (const listen of whenRefused) listen(refusal)
  throw refusal
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal({ code: 0, description: 'Something went wrong in this page.', request_id: '' })
}

const noAnswer: FailureEnvelope = {
  code: 0,
  description: 'Malipo did not answer. Check your connection and try again.',
  request_id: '',
}

/** Builds a query string of the values that are not empty. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(set as [string, string][]).toString()
  return query === '' ? '' : `?${query}`
}

import { success } from '@malipo/interface/envelopes'

/** What an operation answers: written once, at the door, without a further look at it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export function jsonAnswer(
  status: number,
  envelope: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(envelope) }
}

/** A success of the interface: what it is called, and its `data`. */
export function succeed(
  status: 200 | 201 | 202,
  description: string,
  data: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return jsonAnswer(status, success(description, data), headers)
}

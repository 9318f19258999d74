import type { IncomingMessage } from 'node:http'
import { type Answer, jsonAnswer } from '@malipo/runtime/answer'

/** Whether the page's script sent the form: it shows a refusal inside the page, where a browser needs a new page. */
export function sendsFromScript({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.accept === 'application/json'
}

export interface FieldError {
  readonly path: string
  readonly message: string
  /** The value that replaces the input. */
  readonly value?: string
}

/** The form's errors by field, for the script. */
export function refuseFields(errors: readonly FieldError[]): Answer {
  return jsonAnswer(400, { errors })
}

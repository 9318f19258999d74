import { type Answer, jsonAnswer } from '@malipo/runtime/answer'
import type { Request } from 'express'

/** Whether the page's script has sent a form: it shows a refusal in the page, where a browser would need another page. */
export function sendsFromScript(request: Request): boolean {
  return request.method === 'POST' && request.get('accept') === 'application/json'
}

export interface FieldError {
  readonly path: string
  readonly message: string
  /** What the field is to say instead. */
  readonly value?: string
}

/** What is wrong with which fields of a form, for the script. */
export function refuseFields(errors: readonly FieldError[]): Answer {
  return jsonAnswer(400, { errors })
}

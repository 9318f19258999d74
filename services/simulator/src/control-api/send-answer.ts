import type { Log } from '@malipo/runtime/log'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { refusal, type ControlAnswer } from './control-route'

export function sendAnswer(response: Response, answer: ControlAnswer): void {
  response
    .status(answer.status)
    .set(answer.headers ?? {})
    .json(answer.body)
}

/** The last handler: the path belongs to no provider, operation or page. */
export const refusePath: RequestHandler = (_request, response) => {
  sendAnswer(response, refusal(404, 'not_found'))
}

/** Handles malformed and oversized bodies, and our own errors. */
export function presentProblem(log: Log): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error)
      return
    }
    if (statusOf(error) < 500) {
      const message = 'no JSON, or too much of it'
      sendAnswer(response, refusal(400, 'invalid_request', [{ path: 'body', message }]))
      return
    }
    log.error({ error }, 'a request failed')
    sendAnswer(response, refusal(500, 'internal'))
  }
}

function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
  return typeof status === 'number' ? status : 500
}

import { errors, type Fault } from '@malipo/kernel/errors'
import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'
import type { Request, RequestHandler, Response } from 'express'
import { type Answer, sendAnswer } from './answer'
import type { Log } from './log'
import { httpDuration } from './metrics'
import { faultOf } from './present-fault'
import { continueTrace, linkOf, noteSubject, type Subject, withSpan, withTrace } from './telemetry'

/** One operation of the public API. It throws a Fault or returns its response. */
export type Operation = (request: Request, response: Response) => Promise<Answer>

/** Wraps an operation in an express handler. The route's name goes into metrics and logs. */
export type HandlerFactory = (route: string, operation: Operation) => RequestHandler

/**
 * Gives each request an id and a trace, sends the operation's response, and is the only place that presents a fault. It
 * makes the request id and the trace itself, and links the caller's `traceparent`: a caller can neither reuse an id nor
 * choose what is traced.
 */
export function openHandlerFactory(
  log: Log,
  present: (fault: Fault, requestId: string, response: Response) => Answer | Promise<Answer>,
): HandlerFactory {
  return (route, operation) => (request, response) => {
    const trace = continueTrace({})
    const stopTimer = httpDuration.startTimer({ route })
    response.setHeader('X-Request-Id', trace.requestId)
    let code: number | undefined
    const refuse = (error: unknown) => {
      const fault = faultOf(error)
      code = errors[fault.reason].code
      if (fault.reason === 'internal') log.error({ error, route }, 'operation failed')
      if (fault.reason === 'unavailable') log.warn({ error, route }, 'the database did not answer')
      return present(fault, trace.requestId, response)
    }
    void withTrace(trace, async () => {
      // Async, so that a synchronous throw of the operation is presented as well.
      const perform = async () => {
        noteSubject(subjectOf(request))
        return operation(request, response)
      }
      const attributes = { 'http.route': route }
      const answer = await withSpan(
        route,
        { kind: 'SERVER', attributes, link: linkOf(request.get('traceparent')) },
        () => perform().catch(refuse),
        ({ status }) => status >= 500,
      )
      sendAnswer(response, answer)
      const seconds = stopTimer({ status: answer.status })
      const { status } = answer
      const milliseconds = Math.round(seconds * 1_000)
      log[levelOf(request.method, status)]({ route, status, code, milliseconds }, 'answered')
    })
  }
}

/** Pages poll every few seconds, so a successful read is logged at debug; writes and refusals at info. */
function levelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return status < 400 && /^(?:GET|HEAD|OPTIONS)$/.test(method) ? 'debug' : 'info'
}

/** The ids in the path. The rest of the path is not logged, because a callback's path is a secret. */
function subjectOf({ params }: Request): Subject {
  const ids = [params['id'], params['intent']].filter((id) => typeof id === 'string')
  return { checkoutId: ids.find(isCheckoutId), intentId: ids.find(isIntentId) }
}

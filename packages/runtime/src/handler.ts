import { errors, type Fault } from '@malipo/kernel/errors'
import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'
import type { Request, RequestHandler, Response } from 'express'
import { type Answer, sendAnswer } from './answer'
import type { Log } from './log'
import { httpDuration } from './metrics'
import { faultOf } from './present-fault'
import { continueTrace, noteSubject, type Subject, withTrace } from './telemetry'

/** One operation of the public edge. It throws a Fault, or says what to answer. */
export type Operation = (request: Request, response: Response) => Promise<Answer>

/** Makes a handler of an operation; the route's name is for metrics and logs. */
export type MakeHandler = (route: string, operation: Operation) => RequestHandler

/**
 * The HTTP entry point: gives a request its id and trace, answers what the operation says, and is the one place where a
 * fault is presented. The caller's `traceparent` is continued; the request id is ours alone, so that no client can make
 * two requests look like one.
 */
export function openMakeHandler(
  log: Log,
  present: (fault: Fault, requestId: string, response: Response) => Answer | Promise<Answer>,
): MakeHandler {
  return (route, operation) => (request, response) => {
    const trace = continueTrace({ traceparent: request.get('traceparent') ?? '' })
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
      // Async, so that what an operation throws before its first wait is presented as well.
      const perform = async () => {
        noteSubject(subjectOf(request))
        return operation(request, response)
      }
      const answer = await perform().catch(refuse)
      sendAnswer(response, answer)
      const seconds = stopTimer({ status: answer.status })
      const { status } = answer
      const milliseconds = Math.round(seconds * 1_000)
      log[levelOf(request.method, status)]({ route, status, code, milliseconds }, 'answered')
    })
  }
}

/** A page looks every few seconds: that all is well there is no news. What was refused, or changed something, is. */
function levelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return status < 400 && /^(?:GET|HEAD|OPTIONS)$/.test(method) ? 'debug' : 'info'
}

/** What the path names. Nothing else of it: a callback's is a secret. */
function subjectOf({ params }: Request): Subject {
  const ids = [params['id'], params['intent']].filter((id) => typeof id === 'string')
  return { checkoutId: ids.find(isCheckoutId), intentId: ids.find(isIntentId) }
}

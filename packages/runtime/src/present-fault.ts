import { failure } from '@malipo/interface/envelopes'
import { errors, Fault } from '@malipo/kernel/errors'
import { type Answer, jsonAnswer } from './answer'
import { isDatabaseAway } from './database'

/** The only place where a fault becomes a JSON answer. */
export function presentFault(fault: Fault, requestId: string): Answer {
  return jsonAnswer(errors[fault.reason].http, failure(fault, requestId), faultHeaders(fault))
}

/** The headers that HTTP requires or recommends with some refusals: `WWW-Authenticate` and `Retry-After`. */
export function faultHeaders(fault: Fault): Record<string, string> {
  const { http } = errors[fault.reason]
  if (http === 401) {
    const scheme = fault.reason === 'key_refused' ? 'Bearer' : 'Session'
    return { 'WWW-Authenticate': `${scheme} realm="malipo"` }
  }
  const seconds = fault.facts['retry_after_seconds']
  if (http === 429) return { 'Retry-After': String(seconds ?? 60) }
  return http === 503 ? { 'Retry-After': String(seconds ?? 1) } : {}
}

/**
 * The log level of a failure that no caller waits for: `warn` for an outage, which passes by itself; `error` for a
 * defect of ours.
 */
export function failureLevel(error: unknown): 'warn' | 'error' {
  return errors[faultOf(error).reason].http === 503 ? 'warn' : 'error'
}

/** Turns any thrown value into a Fault; an unexpected one becomes `internal`. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault(isDatabaseAway(error) ? 'unavailable' : 'internal', {}, error)
}

import { type ServiceDefinition, type ServiceError, status } from '@grpc/grpc-js'
import { Fault } from '@malipo/kernel/errors'
import type { ClassOfMethod } from './call-classes'
import type { CallContext } from './call-context'
import { openAdmission } from './call-slots'
import type { Caller } from './caller-identity'
import { isDatabaseAway } from './database'
import { statusFrom } from './grpc-fault'
import type { Log } from './log'
import { rpcDuration } from './metrics'
import { NotSigned } from './operator-calls'
import {
  continueTrace,
  noteSubject,
  type Subject,
  subjectOfCall,
  withSpan,
  withTrace,
} from './telemetry'

/** One operation of a server. */
export type Perform = (request: object, caller: Caller) => Promise<unknown>

/** A call that arrived, as a unary call or by a stream. */
export interface IncomingCall extends CallContext {
  readonly method: string
  readonly request: object
  readonly caller: Caller
  /** Its caller no longer waits for the answer. */
  readonly isOverdue: boolean
}

export type Answered = (error: Partial<ServiceError> | null, response?: unknown) => void

export interface Performed {
  readonly definition: ServiceDefinition
  readonly operations: Readonly<Record<string, Perform>>
  /** The class of each method; without it all methods share one bound. */
  readonly classOfMethod?: ClassOfMethod
  readonly log: Log
}

/**
 * Performs calls in their caller's trace: a Fault becomes its gRPC status, an unreachable database UNAVAILABLE, the
 * rest `internal`.
 */
export function openPerformer({ operations, classOfMethod, log }: Performed) {
  const admit = openAdmission(classOfMethod)
  return (call: IncomingCall, answer: Answered): void => {
    const { method, request, caller, requestId, traceparent, subject } = call
    const stopTimer = rpcDuration.startTimer({ method })
    const fail = (error: unknown) => {
      const { outcome, failure } = failureOf(error, method, log)
      stopTimer({ outcome })
      answer(failure)
    }
    if (call.isOverdue) {
      stopTimer({ outcome: 'overdue' })
      answer({ code: status.DEADLINE_EXCEEDED, details: 'the caller no longer waits' })
      return
    }
    withTrace(continueTrace({ requestId, traceparent }), () => {
      const operation = operations[method]
      const release = operation && admit(method)
      if (operation === undefined || release === undefined) {
        stopTimer({ outcome: 'shed' })
        // Nothing was begun. Without a Fault reason the caller treats this like a process that is down, and chooses its
        // 503.
        answer({ code: status.UNAVAILABLE, details: 'too many calls in flight' })
        return
      }
      noteSubject({ ...subjectOfCall(subject), ...subjectOf(request) })
      withSpan(method, { kind: 'SERVER' }, () => operation(request, caller))
        .finally(release)
        .then((response) => {
          stopTimer({ outcome: 'ok' })
          answer(null, response)
        }, fail)
    })
  }
}

function failureOf(
  error: unknown,
  method: string,
  log: Log,
): { readonly outcome: string; readonly failure: Partial<ServiceError> } {
  if (error instanceof NotSigned) {
    log.warn({ method, because: error.message }, 'unsigned act refused')
    const failure = { code: status.UNAUTHENTICATED, details: error.message }
    return { outcome: 'unauthenticated', failure }
  }
  if (isDatabaseAway(error)) {
    log.warn({ error, method }, 'the database did not answer')
    // Without a Fault reason the caller treats this like a process that is down, and chooses its 503.
    const failure = { code: status.UNAVAILABLE, details: 'the database did not answer' }
    return { outcome: 'unavailable', failure }
  }
  const fault = error instanceof Fault ? error : new Fault('internal', {}, error)
  if (fault.reason === 'internal') log.error({ error, method }, 'operation failed')
  return { outcome: fault.reason, failure: statusFrom(fault) }
}

/** The ids of a request that log lines have. Ids of operators, and signatures, are left out. */
const namesOfSubjects = ['checkoutId', 'intentId', 'messageId', 'refundId', 'accountId'] as const

function subjectOf(request: object): Subject {
  const named = namesOfSubjects.flatMap((name) => {
    const id: unknown = Reflect.get(request, name)
    return typeof id === 'string' && id !== '' ? [[name, id] as const] : []
  })
  return Object.fromEntries(named)
}

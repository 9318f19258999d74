import { Fault } from '@malipo/kernel/errors'
import type { Answer } from '@malipo/runtime/answer'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler-factory'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import type { Request, Response } from 'express'
import type { EnrolledOperator, EnrolledOperators } from '../operators/enrolled-operators'
import { personOf } from '../operators/person'
import { refuseForeign } from './refuse-foreign'
import { csrfTokenOf, isCsrfTokenOf } from '@malipo/web/session-tokens'
import { sessionTokenOf } from './session-cookie'
import type { Session, Sessions } from './sessions'

/** A request of a signed-in operator. */
export interface Visit {
  readonly operator: EnrolledOperator
  readonly csrfToken: string
  readonly sessionToken: string
}

export type VisitOperation = (request: Request, visit: Visit, response: Response) => Promise<Answer>

/** Requires the session of an operator who is still enrolled. A change must also come from one of our own pages. */
export type SignedIn = (operation: VisitOperation) => Operation

export interface SignedInDeps {
  readonly sessions: Sessions
  readonly operators: EnrolledOperators
  readonly origin: string
  readonly needsSubject: boolean
  readonly clock: Clock
}

const visits = { name: 'console', limit: 300, windowSeconds: 60 }

/** Faults: sign_in_required, csrf_refused, rate_limited, ledger_unavailable. */
export function openSignedIn(deps: SignedInDeps): SignedIn {
  const count = openLocalWindows(deps.clock)
  return (operation) => async (request, response) => {
    const sessionToken = sessionTokenOf(request)
    const session = await deps.sessions.find(sessionToken)
    if (session?.operatorId === undefined) throw new Fault('sign_in_required')
    const operator = await deps.operators.find(session.operatorId)
    if (operator === undefined || !isTheirs(session, operator, deps.needsSubject)) {
      await deps.sessions.end(sessionToken)
      throw new Fault('sign_in_required')
    }
    if (request.method !== 'GET') {
      refuseForeign(request, deps.origin)
      const presented = request.get('x-csrf-token') ?? ''
      if (!isCsrfTokenOf(sessionToken, presented)) throw new Fault('csrf_refused')
    }
    const { isAllowed, waitMs } = count(visits, sessionToken)
    if (!isAllowed) {
      throw new Fault('rate_limited', { retry_after_seconds: Math.ceil(waitMs / 1_000) })
    }
    return operation(
      request,
      { operator, sessionToken, csrfToken: csrfTokenOf(sessionToken) },
      response,
    )
  }
}

/** Whether the key is enrolled for the person who signed in at the identity provider; true where there is none. */
export function isTheirs(
  { subject }: Pick<Session, 'subject'>,
  operator: Pick<EnrolledOperator, 'subject'>,
  needsSubject: boolean,
): boolean {
  if (!needsSubject) return true
  return subject !== undefined && personOf(subject) === personOf(operator.subject)
}

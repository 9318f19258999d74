import { Fault } from '@malipo/kernel/errors'
import type { Answer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Request } from 'express'
import type { Hub } from '../operation'
import type { Account } from '../accounts/rules/account'
import type { Caller } from '../audit/rules/audit'
import { requireAccount } from '../accounts/store/accounts'
import { findSession } from './store/sign-in-sessions'
import { refuseForeign } from '../hub-server/refuse-foreign'
import { isCsrfTokenOf } from '@malipo/web/session-tokens'
import { sessionTokenOf } from './session-cookie'

/** The account of a signed-in request. It alone decides what the request may read and change. */
export interface Visit {
  readonly account: Account
  readonly sessionId: string
  readonly sessionToken: string
  readonly caller: Caller
}

export type VisitOperation = (request: Request, visit: Visit) => Promise<Answer>

/** Requires a session, and a request from one of our own pages. */
export type SignedIn = (operation: VisitOperation) => Operation

/** Faults: sign_in_required, csrf_refused, rate_limited. */
export function openSignedIn({ db, origin, callerOf, limitVisits }: Hub): SignedIn {
  return (operation) => async (request) => {
    const sessionToken = sessionTokenOf(request)
    const found = sessionToken === '' ? undefined : await findSession(db, sessionToken)
    if (found === undefined) throw new Fault('sign_in_required')
    refuseForeign(request, origin)
    const presented = request.get('x-csrf-token')
    // A read with a token is checked too: a page of an earlier session must show nothing of this session. Links and
    // downloads send no token.
    const isFree = request.method === 'GET' && presented === undefined
    if (!isFree && !isCsrfTokenOf(sessionToken, presented ?? '')) throw new Fault('csrf_refused')
    const { sessionId } = found.session
    limitVisits('hub', sessionId)
    const account = await requireAccount(db, found.accountId)
    return operation(request, { account, sessionId, sessionToken, caller: callerOf(request) })
  }
}

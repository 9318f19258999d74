import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { requireAccount } from '../accounts/store/accounts'
import { openSession, showSession } from './open-session'
import { provePassword } from '../credentials/prove-password'
import { refuseForeign } from '../hub-server/refuse-foreign'
import { deviceTokenOf, giveCookies, sessionTokenOf } from './session-cookie'

/** Any username and password are tried, and refused alike: only their length is bounded. */
const bodySchema = z.strictObject({
  username: z.string().max(1_000),
  password: z.string().max(1_000),
})

/** `POST /v1/hub/sign-in`. Faults: invalid_request, csrf_refused, sign_in_refused, rate_limited. */
export function signIn(deps: Hub): Operation {
  return async (request) => {
    refuseForeign(request, deps.origin)
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const caller = deps.callerOf(request)
    const deviceToken = deviceTokenOf(request)
    const proven = await provePassword(deps, body, { caller, deviceToken })
    const account = await requireAccount(deps.db, proven.accountId)
    const came = { caller, formerToken: sessionTokenOf(request), formerDeviceToken: deviceToken }
    const session = await openSession(deps.db, proven, came)
    const view = await showSession(deps, { account, ...session })
    return succeed(200, 'Signed in', view, giveCookies(session))
  }
}

import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { passwordSchema } from '../accounts/account-fields'
import { replacePassword } from './store/passwords'
import { refuseWeakPassword } from './store/refuse-weak-secrets'
import { provePassword } from './prove-password'
import { deviceTokenOf } from '../sessions/session-cookie'
import type { VisitOperation } from '../sessions/signed-in'

/** The current password may be any text: only its length is bounded. */
const bodySchema = z.strictObject({
  current_password: z.string().max(1_000),
  password: passwordSchema,
})

/**
 * `POST /v1/hub/password`: changes the password, given the current one, and ends all other sessions. Faults:
 * invalid_request, sign_in_refused, rate_limited.
 */
export function changePassword(deps: Hub): VisitOperation {
  return async (request, { account, sessionId, caller }) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { username } = account
    refuseWeakPassword(body.password, account)
    const given = { username, password: body.current_password }
    const proven = await provePassword(deps, given, { caller, sessionId })
    const owner = { accountId: proven.accountId, purpose: 'password' } as const
    const newHash = await deps.hasher.hash(owner, body.password)
    await replacePassword(deps.db, proven, {
      ...{ newHash, sessionId, caller },
      deviceToken: deviceTokenOf(request),
    })
    return succeed(200, 'Password changed', {})
  }
}

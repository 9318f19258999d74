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

/** Any text is tried as the password: only its size is bounded. */
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
    const { accountId, username } = account
    refuseWeakPassword(body.password, account)
    await provePassword(deps, { username, password: body.current_password }, { caller, sessionId })
    const passwordHash = await deps.hasher.hash({ accountId, purpose: 'password' }, body.password)
    await replacePassword(deps.db, accountId, {
      ...{ passwordHash, sessionId, caller },
      deviceToken: deviceTokenOf(request),
    })
    return succeed(200, 'Password changed', {})
  }
}

import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import { passwordSchema } from '../rpc/account-fields'
import { replacePassword } from '../store/passwords'
import { provePassword, type ProvePasswordDeps } from './prove-password'
import type { VisitOperation } from './signed-in'

/** Whatever is said to be the password is tried: only its size is bounded. */
const bodySchema = z.strictObject({
  current_password: z.string().max(1_000),
  password: passwordSchema,
})

/**
 * `POST /v1/hub/password`: changes it for whoever knows it, and ends all other sessions. Faults: invalid_request,
 * sign_in_refused, rate_limited.
 */
export function changePassword(deps: ProvePasswordDeps): VisitOperation {
  return async (request, { account: { accountId, username }, sessionId, caller }) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    await provePassword(deps, { username, password: body.current_password }, caller)
    const passwordHash = await deps.hasher.hash({ accountId, purpose: 'password' }, body.password)
    await replacePassword(deps.db, accountId, { passwordHash, sessionId, caller })
    return succeed(200, 'Password changed', {})
  }
}

import { readJsonBody } from '@malipo/interface/json-body'
import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { passwordSchema } from '../accounts/account-fields'
import { findPassword } from '../accounts/store/accounts'
import { refuseForeign } from '../hub-server/refuse-foreign'
import { deviceTokenOf } from '../sessions/session-cookie'
import { countSignInTry, forgetSignInTries } from '../sessions/store/sign-in-tries'
import { ownSubjectOf } from './prove-password'
import { readPasswordCode } from './rules/password-code'
import { usePasswordCodes } from './store/password-codes'

/** Any username and codes are tried, and refused alike: only their length is bounded. */
const triedSchema = z.string().max(1_000)
const bodySchema = z.strictObject({
  username: triedSchema,
  first_code: triedSchema,
  second_code: triedSchema,
  password: passwordSchema,
})

/**
 * `POST /v1/hub/lost-password`: sets a new password, given the codes of two operators, and ends all sessions. A try
 * counts like one to sign in, and an unknown username takes the same work. The PIN stays. Faults: invalid_request,
 * csrf_refused, sign_in_refused, rate_limited.
 */
export function resetPassword(deps: Hub): Operation {
  return async (request) => {
    refuseForeign(request, deps.origin)
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { username, password } = body
    const caller = deps.callerOf(request)
    const { db, hasher } = deps
    const found = isHandle(username) ? await findPassword(db, username) : undefined
    const accountId = found?.accountId ?? ''
    const deviceToken = deviceTokenOf(request)
    const ownSubject = await ownSubjectOf(db, accountId, { caller, deviceToken })
    await countSignInTry(db, { username, address: caller.address, ownSubject })
    const newHash = await hasher.hash({ accountId, purpose: 'password' }, password)
    const digestOf = (code: string) =>
      hasher.digest({ accountId, purpose: 'password_code' }, readPasswordCode(code))
    const digests = [digestOf(body.first_code), digestOf(body.second_code)] as const
    const isSet = await usePasswordCodes(db, { accountId, digests, password, newHash, caller })
    if (!isSet) throw new Fault('sign_in_refused')
    // No browser is known any more, so the owner's sign-in counts at the username, whose tries may be used up.
    await forgetSignInTries(db, { username, ownSubject: undefined })
    return succeed(200, 'Password set', {})
  }
}

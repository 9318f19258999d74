import { readJsonBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import type { Account } from './rules/account'
import { displayNameSchema, handleSchema, passwordSchema, requestIdSchema } from './account-fields'
import { makeAccount } from './store/make-account'
import { countSignUp } from '../sessions/store/sign-in-tries'
import { openSession, showSession } from '../sessions/open-session'
import { provePassword } from '../credentials/prove-password'
import { refuseForeign } from '../hub-server/refuse-foreign'
import { deviceTokenOf, giveCookies, sessionTokenOf } from '../sessions/session-cookie'

const bodySchema = z.strictObject({
  request_id: requestIdSchema,
  username: handleSchema,
  display_name: displayNameSchema,
  home_country: z.enum(['KE', 'UG']).transform((code) => code.toLowerCase() as 'ke' | 'ug'),
  password: passwordSchema,
})

/**
 * `POST /v1/hub/sign-up`: creates an account, its wallet in the home country, and a session. A repeated request finds
 * its account, if the password is right. Faults: invalid_request (also when the account has another name or country),
 * csrf_refused, handle_taken, rate_limited, sign_in_refused.
 */
export function signUp(deps: Hub): Operation {
  return async (request) => {
    refuseForeign(request, deps.origin)
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const caller = deps.callerOf(request)
    const deviceToken = deviceTokenOf(request)
    await countSignUp(deps.db, caller.address)
    const { request_id: requestId, display_name: displayName, home_country: homeCountry } = body
    const { username, password } = body
    const input = { requestId, username, displayName, homeCountry, password }
    const { account, passwordHash } = await makeAccount(deps, { ...blank, ...input }, caller)
    const isNew = passwordHash !== undefined
    const given = { username: account.username, password }
    const proven = isNew
      ? { accountId: account.accountId, passwordHash }
      : await provePassword(deps, given, { caller, deviceToken })
    if (!isNew) refuseOther(account, input)
    await deps.openWallet(account)
    const came = { caller, formerToken: sessionTokenOf(request), formerDeviceToken: deviceToken }
    const session = await openSession(deps.db, proven, came)
    const view = await showSession(deps, { account, ...session })
    return succeed(isNew ? 201 : 200, 'Signed up', view, giveCookies(session))
  }
}

/**
 * Refuses a repeated request whose form differs from the account that its request id made: after a lost answer an owner
 * may have changed the form. The fault names values of the account, so the caller must have proven its password. Fault:
 * invalid_request.
 */
function refuseOther(
  { username, displayName, homeCountry }: Account,
  asked: Pick<Account, 'username' | 'displayName' | 'homeCountry'>,
): void {
  const refuse = (field: string, value: string) =>
    refuseField(
      field,
      `is ${value} in the account that this form has opened already: sign in to it`,
    )
  if (asked.username !== username) refuse('username', username)
  if (asked.displayName !== displayName) refuse('display_name', displayName)
  if (asked.homeCountry !== homeCountry) refuse('home_country', homeCountry.toUpperCase())
}

/** The owner edits these later, on the profile. */
const blank = { bio: '', theme: 'light', socialLinks: [] } as const

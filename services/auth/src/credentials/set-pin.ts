import { readJsonBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Accounts, Hub } from '../operation'
import { pinSchema } from '../accounts/account-fields'
import { findPinHash, replacePin } from './store/pins'
import { refuseWeakPin } from './store/refuse-weak-secrets'
import { isNewAccount } from '../accounts/store/accounts'
import { checkPin } from './check-pin'
import { provePassword } from './prove-password'
import type { Visit, VisitOperation } from '../sessions/signed-in'

const bodySchema = z.strictObject({
  pin: pinSchema,
  current_pin: pinSchema.optional(),
  current_password: z.string().max(1_000).optional(),
})
type Body = z.output<typeof bodySchema>

/**
 * For this long after sign-up the first PIN needs no password: the password was just chosen, and there is no money yet.
 */
const newSeconds = 600

/**
 * `POST /v1/hub/pin`: changes the PIN with the current one, or sets the first with the password: a session may be
 * stolen, so it is not enough. Faults: invalid_request, wrong_pin, pin_locked, sign_in_refused, rate_limited.
 */
export function setPin(deps: Hub): VisitOperation {
  return async (request, visit) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { accountId } = visit.account
    refuseWeakPin(body.pin)
    const from = await provenHash(deps, visit, body)
    const to = await deps.hasher.hash({ accountId, purpose: 'pin' }, body.pin)
    if (await replacePin(deps.db, accountId, { from, to, caller: visit.caller })) {
      return succeed(200, 'PIN set', {})
    }
    return refuseField('current_pin', 'was changed a moment ago')
  }
}

/** The hash of the PIN that the caller has proven; undefined when the account has none and the password was right. */
async function provenHash(
  deps: Accounts,
  { account: { accountId, username }, sessionId, caller }: Visit,
  { current_pin: currentPin, current_password: password }: Body,
): Promise<string | undefined> {
  const storedHash = await findPinHash(deps.db, accountId)
  if (storedHash === undefined) {
    if (password !== undefined) {
      await provePassword(deps, { username, password }, { caller, sessionId })
    } else if (!(await isNewAccount(deps.db, accountId, newSeconds))) {
      return refuseField('current_password', 'is required to set the first PIN')
    }
    return undefined
  }
  if (currentPin === undefined) return refuseField('current_pin', 'is required')
  return (await checkPin(deps, { accountId, pin: currentPin, caller })).storedHash
}

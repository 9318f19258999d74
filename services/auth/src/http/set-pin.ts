import { readJsonBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import { pinSchema } from '../rpc/account-fields'
import { findPinHash, replacePin } from '../store/pins'
import { refuseWeakPin } from '../store/refuse-weak-secrets'
import { checkPin, type CheckPinDeps } from './check-pin'
import type { Visit, VisitOperation } from './signed-in'

const bodySchema = z.strictObject({ pin: pinSchema, current_pin: pinSchema.optional() })

/**
 * `POST /v1/hub/pin`: sets the PIN of an account that has none, or changes it for whoever knows it. Faults:
 * invalid_request, wrong_pin, pin_locked.
 */
export function setPin(deps: CheckPinDeps): VisitOperation {
  return async (request, visit) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { accountId } = visit.account
    refuseWeakPin(body.pin)
    const from = await provenHash(deps, visit, body.current_pin)
    const to = await deps.hasher.hash({ accountId, purpose: 'pin' }, body.pin)
    if (await replacePin(deps.db, accountId, { from, to, caller: visit.caller })) {
      return succeed(200, 'PIN set', {})
    }
    return refuseField('current_pin', 'was changed a moment ago')
  }
}

/** The hash of the PIN that the caller has proven to know; undefined when the account has none. */
async function provenHash(
  deps: CheckPinDeps,
  { account: { accountId }, caller }: Visit,
  currentPin: string | undefined,
): Promise<string | undefined> {
  const storedHash = await findPinHash(deps.db, accountId)
  if (storedHash === undefined) return undefined
  if (currentPin === undefined) return refuseField('current_pin', 'is required')
  return (await checkPin(deps, { accountId, pin: currentPin, caller })).storedHash
}

import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { refuseField, validate } from '@malipo/interface/validate'
import type { Operations } from '@malipo/runtime/grpc'
import { z } from 'zod'
import type { Caller } from '../domain/audit'
import { requireAccount } from '../store/accounts'
import { findPinHash, replacePin } from '../store/pins'
import { pinSchema } from './account-fields'
import { checkPin, type CheckPinDeps } from './check-pin'
import { readCaller } from './read-caller'

const requestSchema = z.object({ pin: pinSchema })

/**
 * Sets the PIN of an account that has none, or changes it for whoever knows it. Faults: invalid_request, wrong_pin,
 * pin_locked.
 */
export function setPin(deps: CheckPinDeps): Operations<AccountServiceServer>['setPin'] {
  return async (request) => {
    const { pin } = validate(requestSchema, request)
    const { accountId } = await requireAccount(deps.db, request.accountId)
    const caller = readCaller(request.caller)
    const from = await provenHash(deps, { accountId, currentPin: request.currentPin, caller })
    const to = await deps.hasher.hash({ accountId, purpose: 'pin' }, pin)
    if (await replacePin(deps.db, accountId, { from, to, caller })) return {}
    return refuseField('current_pin', 'was changed a moment ago')
  }
}

/** The hash of the PIN that the caller has proven to know; undefined when the account has none. */
async function provenHash(
  deps: CheckPinDeps,
  presented: {
    readonly accountId: string
    readonly currentPin: string | undefined
    readonly caller: Caller
  },
): Promise<string | undefined> {
  const { accountId, currentPin, caller } = presented
  const storedHash = await findPinHash(deps.db, accountId)
  if (storedHash === undefined) return undefined
  if (currentPin === undefined) return refuseField('current_pin', 'is required')
  return checkPin(deps, { accountId, pin: currentPin, caller })
}

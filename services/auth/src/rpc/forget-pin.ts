import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { textSchema } from '@malipo/interface/fields'
import { validate } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { z } from 'zod'
import type { Database } from '../store/database'
import { forgetPin as forgetStoredPin } from '../store/pins'
import { handleSchema } from './account-fields'

const requestSchema = z.object({ username: handleSchema, operator: textSchema(64) })

/** The help of support that the last lock of a PIN waits for. Faults: invalid_request, handle_not_found. */
export function forgetPin(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['forgetPin'] {
  return async (wire) => {
    const { username, operator } = validate(requestSchema, wire)
    const isKnown = await forgetStoredPin(deps.db, username, operator)
    if (!isKnown) throw new Fault('handle_not_found', { handle: username })
    return {}
  }
}

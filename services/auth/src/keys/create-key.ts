import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { pinSchema } from '../accounts/account-fields'
import { recordEvent } from '../audit/store/audit-log'
import { checkPin } from '../credentials/check-pin'
import type { NewKeyView } from '@malipo/interface/hub'
import { showKey } from './list-keys'
import type { VisitOperation } from '../sessions/signed-in'

const bodySchema = z.strictObject({ pin: pinSchema })

/**
 * `POST /v1/hub/keys`: creates a key, or replaces the account's, with the right PIN. Only this answer contains the
 * key. Faults: invalid_request, wrong_pin, pin_locked, pin_not_set, keys_unavailable.
 */
export function createKey(deps: Hub): VisitOperation {
  return async (request, { account, caller }) => {
    const { pin } = readJsonBody(bodySchema, await readRawBody(request))
    const { accountId } = account
    const proven = await checkPin(deps, { accountId, pin, caller })
    const { secretKey, key } = await deps.keys.create(deps.provePin(proven, account))
    const subject = `${key.prefix}…${key.lastFour}`
    await recordEvent(deps.db, { accountId, action: 'key_created', subject, caller })
    const view: NewKeyView = { secret_key: secretKey, key: showKey(key) }
    return succeed(201, 'Key created', view)
  }
}

import { readJsonBody } from '@malipo/interface/json-body'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { pinSchema } from '../accounts/account-fields'
import { recordDone, recordEvent } from '../audit/store/audit-log'
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
    // If the answer of the key service is lost, the audit log shows only by this event that a key may have been made.
    await recordEvent(deps.db, { accountId, action: 'key_asked', caller })
    const { secretKey, key } = await deps.keys
      .create(deps.provePin(proven, account))
      .catch(sayWhereToLook)
    const subject = `${key.prefix}…${key.lastFour}`
    // The request must not fail now: the earlier key is revoked, and only this answer has the new key.
    await recordDone(deps, { accountId, action: 'key_created', subject, caller })
    const view: NewKeyView = { secret_key: secretKey, key: showKey(key) }
    return succeed(201, 'Key created', view)
  }
}

/**
 * Adds to the fault that the owner should look at the list of keys: the old key may be revoked, and an owner who only
 * tries again would not notice.
 */
function sayWhereToLook(error: unknown): never {
  if (!(error instanceof Fault) || error.reason !== 'keys_unavailable') throw error
  const description =
    'The key service did not answer, and may have replaced your key all the same. Look at the list of keys before you try again: a new key there cannot be shown any more'
  throw new Fault('keys_unavailable', error.facts, error, { description })
}

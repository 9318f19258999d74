import { wireOf } from '@malipo/contracts/wire-words'
import { validate } from '@malipo/interface/validate'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { agreeToForgetting, withdrawForgetting } from './store/pin-forgettings'
import { handleSchema } from '../accounts/account-fields'
import { signedAct } from './forget-pin'

const decidedSchema = z.object({ username: handleSchema, agreed: z.boolean() })

/**
 * Approves a request to remove a PIN, by another operator than its requester, or withdraws it, by any enrolled
 * operator. The act is signed, and has the faults of `forgetPin`, which makes the request.
 */
export function decidePinForgetting(deps: Accounts): AccountOperation<'decidePinForgetting'> {
  return async (wire) => {
    const { username, agreed } = validate(decidedSchema, wire)
    const { accountId, operator, askedBy } = await signedAct(deps, wire, username)
    const outcome = agreed
      ? await agreeToForgetting(deps.db, { accountId, operator, askedBy })
      : await withdrawForgetting(deps.db, accountId)
    return { outcome: wireOf('PIN_FORGETTING_OUTCOME', outcome) }
  }
}

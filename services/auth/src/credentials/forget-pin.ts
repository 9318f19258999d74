import { validate } from '@malipo/interface/validate'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { EnrolledOperator } from '@malipo/ledger-client/operators'
import { actOf } from '@malipo/runtime/operator-calls'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { findUsername } from '../accounts/store/accounts'
import { askForgetting } from './store/pin-forgettings'
import { handleSchema } from '../accounts/account-fields'

const requestSchema = z.object({ username: handleSchema })

/**
 * Requests the removal of a PIN, which ends the last lock of a PIN. Signed by an operator enrolled in the ledger of
 * the account's home country, which verifies and stores the act. Faults: invalid_request, handle_not_found,
 * ledger_unavailable.
 */
export function forgetPin(deps: Accounts): AccountOperation<'forgetPin'> {
  return async (wire) => {
    const { username } = validate(requestSchema, wire)
    const { accountId, operator } = await signedAct(deps, wire, username)
    const isAsked = await askForgetting(deps.db, accountId, operator)
    return { outcome: wireOf('PIN_FORGETTING_OUTCOME', isAsked ? 'asked' : 'asked_before') }
  }
}

/**
 * Verifies the signature of an act about an account's PIN, and stores it. Faults: handle_not_found,
 * ledger_unavailable.
 */
export async function signedAct(
  deps: Accounts,
  wire: object,
  username: string,
): Promise<{ readonly accountId: string; readonly operator: EnrolledOperator }> {
  const act = actOf(wire)
  const owner = await findUsername(deps.db, username)
  if (owner === undefined) throw new Fault('handle_not_found', { handle: username })
  const operator = await deps.ledgers.of(owner).acceptAct(act)
  return { accountId: owner.accountId, operator }
}

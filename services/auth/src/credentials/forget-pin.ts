import { validate } from '@malipo/interface/validate'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { EnrolledOperator } from '@malipo/ledger-client/operators'
import { actOf } from '@malipo/runtime/operator-calls'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { findUsername } from '../accounts/store/accounts'
import { askForgetting, findAsker, removeRequestOf } from './store/pin-forgettings'
import { handleSchema } from '../accounts/account-fields'

const requestSchema = z.object({ username: handleSchema })

/**
 * Requests the removal of a PIN, the only way out of the third lock of a PIN, which has no end. The request is signed
 * by an operator who is enrolled in the ledger of the account's home country; that ledger verifies and stores the act.
 * Faults: invalid_request, handle_not_found, ledger_unavailable.
 */
export function forgetPin(deps: Accounts): AccountOperation<'forgetPin'> {
  return async (wire) => {
    const { username } = validate(requestSchema, wire)
    const { accountId, operator } = await signedAct(deps, wire, username)
    const isAsked = await askForgetting(deps.db, accountId, operator)
    return { outcome: wireOf('PIN_FORGETTING_OUTCOME', isAsked ? 'asked' : 'asked_before') }
  }
}

interface PinAct {
  readonly accountId: string
  readonly operator: EnrolledOperator
  /** The enrolled operator whose request to remove the PIN waits for a decision. */
  readonly askedBy: string | undefined
}

/**
 * Has the ledger verify and store a signed act about an account's PIN. Removes a waiting request whose operator is no
 * longer enrolled, because two enrolled operators must agree. Faults: handle_not_found, ledger_unavailable.
 */
export async function signedAct(deps: Accounts, wire: object, username: string): Promise<PinAct> {
  const act = actOf(wire)
  const owner = await findUsername(deps.db, username)
  if (owner === undefined) throw new Fault('handle_not_found', { handle: username })
  const { accountId } = owner
  const asker = await findAsker(deps.db, accountId)
  const { operator, isAskerEnrolled } = await deps.ledgers.of(owner).acceptAct(act, asker)
  if (asker === undefined || isAskerEnrolled !== false) {
    return { accountId, operator, askedBy: asker }
  }
  await removeRequestOf(deps.db, accountId, asker)
  return { accountId, operator, askedBy: undefined }
}

import { randomBytes } from 'node:crypto'
import { validate } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import { actOf } from '@malipo/runtime/operator-calls'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { handleSchema } from '../accounts/account-fields'
import { findUsername } from '../accounts/store/accounts'
import { passwordCodeBytes, readPasswordCode, writePasswordCode } from './rules/password-code'
import { findOtherGiver, savePasswordCode } from './store/password-codes'

const requestSchema = z.object({ username: handleSchema })

/**
 * Gives an operator a code for the owner of an account who has lost the password. The act is signed, and the ledger of
 * the account's home country verifies and stores it. That ledger also says whether the other operator with a code is
 * still enrolled; if not, that code ends, because two enrolled operators must agree. Faults: invalid_request,
 * handle_not_found, ledger_unavailable.
 */
export function givePasswordCode(deps: Accounts): AccountOperation<'givePasswordCode'> {
  return async (wire) => {
    const { username } = validate(requestSchema, wire)
    const act = actOf(wire)
    const owner = await findUsername(deps.db, username)
    if (owner === undefined) throw new Fault('handle_not_found', { handle: username })
    const { accountId } = owner
    const other = await findOtherGiver(deps.db, accountId, act.operatorId)
    const accepted = await deps.ledgers.of(owner).acceptAct(act, other)
    const code = writePasswordCode(randomBytes(passwordCodeBytes))
    const otherOperator = await savePasswordCode(deps.db, {
      accountId,
      operator: accepted.operator,
      digest: deps.hasher.digest({ accountId, purpose: 'password_code' }, readPasswordCode(code)),
      otherGiver: accepted.isAskerEnrolled === false ? undefined : other,
    })
    return { code, otherOperator: otherOperator ?? '' }
  }
}

import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { validate } from '@malipo/interface/validate'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { actOf } from '@malipo/runtime/operator-calls'
import { z } from 'zod'
import type { Ledger } from '../clients/ledger'
import type { Database } from '../store/database'
import { findUsername } from '../store/accounts'
import { forgetPin as forgetStoredPin } from '../store/pins'
import { handleSchema } from './account-fields'

const requestSchema = z.object({ username: handleSchema })

/**
 * The help of support that the last lock of a PIN waits for. Signed by an operator who is enrolled in the ledger of the
 * account's home country, which verifies and keeps the act. Faults: invalid_request, handle_not_found, ledger_unavailable.
 */
export function forgetPin(deps: {
  readonly db: Database
  readonly ledgers: Readonly<Record<Country, Pick<Ledger, 'acceptAct'>>>
}): Operations<AccountServiceServer>['forgetPin'] {
  return async (wire) => {
    const act = actOf(wire)
    const { username } = validate(requestSchema, wire)
    const owner = await findUsername(deps.db, username)
    if (owner === undefined) throw new Fault('handle_not_found', { handle: username })
    const operator = await deps.ledgers[owner.homeCountry].acceptAct(act)
    await forgetStoredPin(deps.db, owner.accountId, operator)
    return {}
  }
}

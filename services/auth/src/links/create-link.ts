import { validate } from '@malipo/interface/validate'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { requireAccount } from '../accounts/store/accounts'
import { makeLink } from './store/make-link'
import { handleSchema, linkTitleSchema, requestIdSchema } from '../accounts/account-fields'
import { readCaller } from '../audit/read-caller'
import { showLink } from './show-link'

const requestSchema = z.object({
  requestId: requestIdSchema,
  accountId: z.string(),
  // In proto an absent handle is an empty string.
  handle: handleSchema.or(z.literal('').transform(() => undefined)),
  title: linkTitleSchema.optional(),
  amountMinor: z.bigint().optional(),
})

/** Makes a link. Faults: invalid_request, handle_taken (also when reserved), amount_outside_limits. */
export function createLink(deps: Accounts): AccountOperation<'createLink'> {
  return async (wire) => {
    const { accountId, ...request } = validate(requestSchema, wire)
    const account = await requireAccount(deps.db, accountId)
    const link = await makeLink(deps.db, account, { ...request, caller: readCaller(wire.caller) })
    return { link: showLink(link, account.homeCountry) }
  }
}

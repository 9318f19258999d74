import { countries } from '@malipo/kernel/countries'
import { isHandle } from '@malipo/kernel/ids'
import type { AccountOperation, Accounts } from '../operation'
import { resolveHandle as resolveStoredHandle } from '../links/store/links'

/** The payee of a username or a link's handle. An unknown one is an empty answer, not an error. */
export function resolveHandle(deps: Accounts): AccountOperation<'resolveHandle'> {
  return async (request) => {
    const found = isHandle(request.handle)
      ? await resolveStoredHandle(deps.db, request.handle)
      : undefined
    if (found === undefined) return { resolved: undefined }
    const { handle, account, suggestion, acceptsPayments } = found
    const { currency } = countries[account.homeCountry]
    const suggested = suggestion && {
      title: suggestion.title,
      amount: { currency, minor: suggestion.amountMinor },
    }
    return { resolved: { handle, account, ...suggested, acceptsPayments } }
  }
}

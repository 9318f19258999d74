import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import type { AccountOperation, Accounts } from '../operation'
import { requireAccount } from '../accounts/store/accounts'
import { closeLink as closeStoredLink } from './store/links'
import { readCaller } from '../audit/read-caller'
import { showLink } from './show-link'

/** Closes a link for good. Fault: handle_not_found, the same for an unknown link and another account's. */
export function closeLink(deps: Accounts): AccountOperation<'closeLink'> {
  return async ({ accountId, handle, caller }) => {
    const { homeCountry } = await requireAccount(deps.db, accountId)
    const link = isHandle(handle)
      ? await closeStoredLink(deps.db, { accountId, handle }, readCaller(caller))
      : undefined
    if (link === undefined) throw new Fault('handle_not_found', { handle })
    return { link: showLink(link, homeCountry) }
  }
}

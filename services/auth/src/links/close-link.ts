import { readHandle } from '@malipo/interface/profile'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { closeLink as closeStoredLink } from './store/links'
import { showLink } from './show-link'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/links/{handle}/close`: closes a link for good. Faults: invalid_request, handle_not_found (also for
 * another account's).
 */
export function closeLink({ db, paymentsUrls }: Hub): VisitOperation {
  return async (request, { account: { accountId, homeCountry }, caller }) => {
    const handle = readHandle(String(request.params['handle']))
    const link = await closeStoredLink(db, { accountId, handle }, caller)
    if (link === undefined) throw new Fault('handle_not_found', { handle })
    return succeed(200, 'Link closed', showLink(link, paymentsUrls[homeCountry]))
  }
}

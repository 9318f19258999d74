import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { listLinks as listStoredLinks } from './store/links'
import { showLink } from './show-link'
import type { VisitOperation } from '../sessions/signed-in'

/** `GET /v1/hub/links`: the account's links, newest first, including closed ones. */
export function listLinks({ db, paymentsUrls }: Hub): VisitOperation {
  return async (_request, { account: { accountId, homeCountry } }) => {
    const links = await listStoredLinks(db, accountId)
    const views = links.map((link) => showLink(link, paymentsUrls[homeCountry]))
    return succeed(200, 'Links', { links: views })
  }
}

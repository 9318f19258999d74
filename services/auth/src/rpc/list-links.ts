import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import { requireAccount } from '../store/accounts'
import type { Database } from '../store/database'
import { listLinks as listStoredLinks } from '../store/links'
import { showLink } from './show-link'

/** An account's links, newest first, closed ones too. */
export function listLinks(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['listLinks'] {
  return async ({ accountId }) => {
    const { homeCountry } = await requireAccount(deps.db, accountId)
    const links = await listStoredLinks(deps.db, accountId)
    return { links: links.map((link) => showLink(link, homeCountry)) }
  }
}

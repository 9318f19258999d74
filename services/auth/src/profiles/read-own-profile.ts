import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { requireProfile } from './store/profiles'
import { showProfile } from './show-profile'
import type { VisitOperation } from '../sessions/signed-in'

/** `GET /v1/hub/profile`: the account's own profile. */
export function readOwnProfile(deps: Hub): VisitOperation {
  return async (_request, { account: { accountId, username } }) =>
    succeed(200, 'Profile', showProfile(await requireProfile(deps.db, accountId), username))
}

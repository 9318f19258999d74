import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { findProfileOf } from '../store/profiles'
import { showProfile } from './show-profile'

/** What an account shows of itself, for its owner. Fault: invalid_request, when there is no such account. */
export function getProfile(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['getProfile'] {
  return async ({ accountId }) => {
    const profile = await findProfileOf(deps.db, accountId)
    if (profile === undefined) throw new Fault('invalid_request', { field: 'account_id' })
    return { profile: showProfile(profile) }
  }
}

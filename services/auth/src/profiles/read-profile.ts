import { readHandle } from '@malipo/interface/profile'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Hub } from '../operation'
import { findProfile } from './store/profiles'
import { showProfile } from './show-profile'

/**
 * `GET /v1/auth/public/profile/{handle}`: the public profile. Faults: invalid_request, rate_limited,
 * handle_not_found.
 */
export function readProfile(deps: Pick<Hub, 'db' | 'clientAddress' | 'limitVisits'>): Operation {
  return async (request) => {
    const handle = readHandle(String(request.params['handle']))
    deps.limitVisits('profile', addressGroup(deps.clientAddress(request)))
    const found = await findProfile(deps.db, handle)
    if (found === undefined) throw new Fault('handle_not_found', { handle })
    return succeed(200, 'Profile', showProfile(found.profile, found.handle))
  }
}

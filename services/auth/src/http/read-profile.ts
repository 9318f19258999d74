import { readHandle } from '@malipo/interface/profile'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { Database } from '../store/database'
import { findProfile } from '../store/profiles'
import { showProfile } from './show-profile'

/** `GET /v1/auth/public/profile/{handle}`: what an account shows of itself. */
export function readProfile(deps: { readonly db: Database }): Operation {
  return async (request) => {
    const handle = readHandle(String(request.params['handle']))
    const found = await findProfile(deps.db, handle)
    if (found === undefined) throw new Fault('handle_not_found', { handle })
    return succeed(200, 'Profile', showProfile(found.profile, found.handle))
  }
}

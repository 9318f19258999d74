import { handleRule, handleSchema } from '../handle'
import type { Examples } from './examples'
import { found, type Operation } from './operation'

/** What an account shows of itself, on the auth host. */
export function readProfile({ profile }: Examples): Operation {
  return {
    id: 'readProfile',
    method: 'get',
    path: '/v1/auth/public/profile/{handle}',
    tag: 'Profile',
    summary: 'A profile',
    description:
      'The bio, theme, cover and social links of the owner of a handle. 120 a minute of an address.',
    place: { name: 'handle', schema: handleSchema, example: profile.handle, rule: handleRule },
    answers: found('Profile', profile, { description: 'Profile', when: 'The handle exists' }),
    refusals: ['invalid_request', 'rate_limited', 'handle_not_found', 'unavailable'],
  }
}

import { type ProfileView, readHandle } from '@malipo/interface/profile'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { Profile } from '../domain/account'
import type { Database } from '../store/database'
import { findProfile } from '../store/profiles'

/** `GET /v1/auth/public/profile/{handle}`: what an account shows of itself. */
export function readProfile(deps: { readonly db: Database }): Operation {
  return async (request) => {
    const handle = readHandle(String(request.params['handle']))
    const found = await findProfile(deps.db, handle)
    if (found === undefined) throw new Fault('handle_not_found', { handle })
    return succeed(200, 'Profile', show(found))
  }
}

const countryCodeOf = { ke: 'KE', ug: 'UG' } as const satisfies Record<Country, string>

function show({ handle, profile }: { handle: string; profile: Profile }): ProfileView {
  const { account, bio, theme, coverImageUrl, socialLinks, acceptsPayments } = profile
  return {
    handle,
    username: account.username,
    display_name: account.displayName,
    profile_image_url: account.profileImageUrl ?? null,
    bio: bio === '' ? null : bio,
    theme,
    cover_image_url: coverImageUrl ?? null,
    social_links: socialLinks.map(({ platform, url }) => ({ platform, url })),
    home_country: countryCodeOf[account.homeCountry],
    accepts_payments: acceptsPayments,
  }
}

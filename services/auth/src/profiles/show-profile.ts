import type { ProfileView } from '@malipo/interface/profile'
import type { Profile } from '../accounts/rules/account'
import { countryCodeOf } from '../accounts/show-account'

export function showProfile(profile: Profile, handle: string): ProfileView {
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

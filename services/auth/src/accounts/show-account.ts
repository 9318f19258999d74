import type { Country } from '@malipo/kernel/countries'
import type { Account } from './rules/account'
import type { AccountView, CountryCode } from '@malipo/interface/hub'

/** ISO 3166 code, as in public JSON. */
export const countryCodeOf = { ke: 'KE', ug: 'UG' } as const satisfies Record<Country, CountryCode>

export function showAccount(account: Account): AccountView {
  return {
    username: account.username,
    display_name: account.displayName,
    profile_image_url: account.profileImageUrl ?? null,
    home_country: countryCodeOf[account.homeCountry],
  }
}

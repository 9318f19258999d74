import type { CountryRules, MobileRail } from '@malipo/kernel/countries'

/**
 * The first digits, after the country code, of the numbers that Airtel Uganda gives out (Uganda's numbering plan). A
 * number may have moved to another network with its owner, so this is a guess that the payer can correct.
 */
const airtelUganda = /^256(?:70|74|75)/

/** The rail that a canonical phone most likely pays with: the country's default unless its number says otherwise. */
export function likelyRail(phone: string, { mobileRails }: CountryRules): MobileRail {
  const guess = airtelUganda.test(phone) ? 'airtel_money' : mobileRails[0]
  return mobileRails.find((rail) => rail === guess) ?? mobileRails[0]
}

/** The rail that a form names; undefined when it leaves that to the number, and when it names none of this country. */
export function namedRail(name: string, { mobileRails }: CountryRules): MobileRail | undefined {
  return mobileRails.find((rail) => rail === name)
}

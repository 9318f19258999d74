import type { CountryRules, MobileRail } from '@malipo/kernel/countries'
import { railOfNumber } from './phone-problem'

/**
 * The rail that a canonical phone most likely pays with: the country's default unless its number says otherwise. A
 * number may have moved to another network with its owner, so this is a guess that the payer can correct.
 */
export function likelyRail(phone: string, rules: CountryRules): MobileRail {
  const { mobileRails } = rules
  const guess = railOfNumber(phone, rules)
  return mobileRails.find((rail) => rail === guess) ?? mobileRails[0]
}

/** The rail that a form names; undefined when the form names none, or none of this country. */
export function namedRail(name: string, { mobileRails }: CountryRules): MobileRail | undefined {
  return mobileRails.find((rail) => rail === name)
}

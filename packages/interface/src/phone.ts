import type { Country, CountryRules } from '@malipo/kernel/countries'
import { type CountryCode, isValidPhoneNumber } from 'libphonenumber-js/mobile'
import { z } from 'zod'
import { refuseField } from './validate'

/** A phone in a request (interface, Request limits): only the shape. `canonicalPhone` finds which number is meant. */
export const phoneSchema = z
  .string()
  .regex(/^[0-9]{9,15}$/, 'must be 9 to 15 digits with the country code, without +')

/** Kenyan and Ugandan numbers have nine digits after the country code. */
const nationalLength = 9
const regions = { ke: 'KE', ug: 'UG' } as const satisfies Record<Country, CountryCode>

/**
 * One spelling for one phone: `254712345678` for that and for `0254712345678`, `00254712345678`, `0712345678` and
 * `2540712345678`, so that limits by phone count phones and not spellings. Any other number loses its leading zeros
 * only, and the provider judges it. Fault: invalid_request when fewer than 9 digits are left.
 */
export function canonicalPhone(digits: string, rules: CountryRules): string {
  const national = nationalNumber(digits, rules)
  if (national !== undefined && isValidPhoneNumber(national, regions[rules.country])) {
    return rules.callingCode + national
  }
  const stripped = digits.replace(/^0+/, '')
  return phoneSchema.safeParse(stripped).success
    ? stripped
    : refuseField('phone', 'is not a phone number')
}

/**
 * A phone as people write it, with spaces, dashes, `+`, `00` or a leading `0`; undefined when it cannot be a number of
 * this country. Only length and letters are checked, because networks open new ranges before libraries know them. After
 * `+` or `00` comes a country code, so a number with another country's code is refused even if its length fits.
 */
export function phoneFromPerson(text: string, rules: CountryRules): string | undefined {
  // A letter may be a mistyped digit, so the text is refused and not read without it.
  if (/\p{L}/u.test(text)) return undefined
  const digits = text.replace(/[^0-9]/g, '')
  const isInternational = /^[^0-9]*\+/.test(text) || digits.startsWith('00')
  if (isInternational && !digits.replace(/^0+/, '').startsWith(rules.callingCode)) return undefined
  const national = nationalNumber(digits, rules)
  return national === undefined ? undefined : rules.callingCode + national
}

function nationalNumber(digits: string, { callingCode }: CountryRules): string | undefined {
  const stripped = digits.replace(/^0+/, '')
  const national = stripped.startsWith(callingCode)
    ? stripped.slice(callingCode.length).replace(/^0+/, '')
    : stripped
  return national.length === nationalLength ? national : undefined
}

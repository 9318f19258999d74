import type { Country, CountryRules } from '@malipo/kernel/countries'
import { type CountryCode, isValidPhoneNumber } from 'libphonenumber-js/mobile'
import { z } from 'zod'
import { refuseField } from './validate'

/** A phone in a request (interface, Request limits): the shape only; whose number it means is the next step. */
export const phoneSchema = z
  .string()
  .regex(/^[0-9]{9,15}$/, 'must be 9 to 15 digits with the country code, without +')

/** Kenyan and Ugandan numbers have nine digits after the country code. */
const nationalLength = 9
const regions = { ke: 'KE', ug: 'UG' } as const satisfies Record<Country, CountryCode>

/**
 * One spelling for one phone: `254712345678` for that and for `0254712345678`, `00254712345678`, `0712345678` and
 * `2540712345678`, so that limits by phone count phones and not spellings. What is no mobile number of this country,
 * as far as we know, stays as it is: the provider judges it. Fault: invalid_request when too little of it is left.
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
 * this country. Only its length and letters are held against it: networks open new ranges before libraries know them.
 * Behind a `+` or `00` stands a country code, so what has another one there is abroad, however short it is.
 */
export function phoneFromPerson(text: string, rules: CountryRules): string | undefined {
  // A slip of the finger beside the digits may stand for one of them.
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

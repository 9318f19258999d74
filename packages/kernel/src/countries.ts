import { type Currency, majorText, type Minor, minorPerMajor } from './money'

export type Country = 'ke' | 'ug'

/** A rail that sends prompts to phones. */
export type MobileRail = 'mpesa' | 'mtn_momo' | 'airtel_money'
export type Rail = MobileRail | 'card' | 'paybill'

/** The names of rails, and of their providers, for people who read English. */
export const railNames = {
  mpesa: 'M-PESA',
  mtn_momo: 'MTN MoMo',
  airtel_money: 'Airtel Money',
  card: 'Card',
  paybill: 'Pay Bill',
} as const satisfies Record<Rail, string>

/** The differences between countries for amounts and phones (interface, Limits). */
export interface CountryRules {
  readonly country: Country
  readonly currency: Currency
  readonly checkoutIdPrefix: 'cs_ke_' | 'cs_ug_'
  readonly callingCode: '254' | '256'
  readonly timeZone: string
  readonly minMinor: Minor
  readonly maxMinor: Minor
  readonly wholeMajorOnly: boolean
  /** The mobile-money rails of the country, the default first. */
  readonly mobileRails: readonly [MobileRail, ...MobileRail[]]
}

export const countries = {
  ke: {
    country: 'ke',
    currency: 'KES',
    checkoutIdPrefix: 'cs_ke_',
    callingCode: '254',
    timeZone: 'Africa/Nairobi',
    minMinor: 100n,
    maxMinor: 15_000_000n,
    wholeMajorOnly: false,
    mobileRails: ['mpesa', 'airtel_money'],
  },
  ug: {
    country: 'ug',
    currency: 'UGX',
    checkoutIdPrefix: 'cs_ug_',
    callingCode: '256',
    timeZone: 'Africa/Kampala',
    minMinor: 100n,
    // A placeholder until commercial limits are confirmed (interface, Amounts).
    maxMinor: 500_000_000n,
    wholeMajorOnly: true,
    mobileRails: ['mtn_momo', 'airtel_money'],
  },
} as const satisfies Record<Country, CountryRules>

/** Whether an amount is within the interface's limits for a checkout (else 422 2702). */
export function isWithinLimits(rules: CountryRules, minor: Minor): boolean {
  return (
    minor >= rules.minMinor &&
    minor <= rules.maxMinor &&
    (!rules.wholeMajorOnly || minor % 100n === 0n)
  )
}

/** The rule for amounts, as text for the merchant's developer. */
export function limitsText({ currency, minMinor, maxMinor, wholeMajorOnly }: CountryRules): string {
  const range = `${String(minMinor)} to ${String(maxMinor)} minor units`
  const rest = wholeMajorOnly ? `, a multiple of ${String(minorPerMajor)}` : ''
  const major = `${currency} ${majorText(minMinor)} to ${majorText(maxMinor)}`
  return `The amount must be ${range}${rest} (${major}${wholeMajorOnly ? ', whole units only' : ''})`
}

export function isCurrency(text: string): text is Currency {
  return Object.values(countries).some(({ currency }) => currency === text)
}

/**
 * The rules of a country with only the rails of `names` on, or with all its rails on when `names` is absent. Undefined
 * when a name is no rail of the country, or no mobile rail is left. `card` and `paybill` are rails of every country.
 */
export function rulesWithRails(
  rules: CountryRules,
  names: readonly string[] | undefined,
): CountryRules | undefined {
  if (names === undefined) return rules
  const known: readonly string[] = [...rules.mobileRails, 'card', 'paybill']
  const [first, ...others] = rules.mobileRails.filter((rail) => names.includes(rail))
  if (first === undefined || names.some((name) => !known.includes(name))) return undefined
  return { ...rules, mobileRails: [first, ...others] }
}

export function isCountry(text: string): text is Country {
  return Object.hasOwn(countries, text)
}

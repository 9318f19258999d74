import { type Currency, majorText, type Minor, minorPerMajor } from './money'

export type Country = 'ke' | 'ug'

/** A rail that asks a payer for money by a phone. */
export type MobileRail = 'mpesa' | 'mtn_momo' | 'airtel_money'
export type Rail = MobileRail | 'card' | 'paybill'

/** What differs between countries for everybody who handles an amount or a phone (interface, Limits). */
export interface CountryRules {
  readonly country: Country
  readonly currency: Currency
  readonly checkoutIdPrefix: 'cs_ke_' | 'cs_ug_'
  readonly callingCode: '254' | '256'
  /** Of the clocks that people there look at. */
  readonly timeZone: string
  readonly minMinor: Minor
  readonly maxMinor: Minor
  /** True when only whole major units can be paid. */
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
    mobileRails: ['mpesa'],
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

/** Whether a checkout of this amount may exist: the interface's limits, which answer 422 2702 when broken. */
export function isWithinLimits(rules: CountryRules, minor: Minor): boolean {
  return (
    minor >= rules.minMinor &&
    minor <= rules.maxMinor &&
    (!rules.wholeMajorOnly || minor % 100n === 0n)
  )
}

/** What an amount outside the limits must be, for the merchant's developer. */
export function limitsText({ currency, minMinor, maxMinor, wholeMajorOnly }: CountryRules): string {
  const range = `${String(minMinor)} to ${String(maxMinor)} minor units`
  const rest = wholeMajorOnly ? `, a multiple of ${String(minorPerMajor)}` : ''
  const major = `${currency} ${majorText(minMinor)} to ${majorText(maxMinor)}`
  return `The amount must be ${range}${rest} (${major}${wholeMajorOnly ? ', whole units only' : ''})`
}

export function isCurrency(text: string): text is Currency {
  return Object.values(countries).some(({ currency }) => currency === text)
}

export function isCountry(text: string): text is Country {
  return Object.hasOwn(countries, text)
}

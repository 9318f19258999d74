import type { Country, CountryRules, MobileRail } from '@malipo/kernel/countries'

/** Why a phone of this country gets no prompt, as far as its first digits prove it. */
export interface PhoneProblem {
  /** `service_number`: toll-free or premium rate. `other_network`: of a network whose money is not taken here. */
  readonly kind: 'landline' | 'service_number' | 'other_network'
  /** The network of the number; undefined unless the kind is `other_network`. */
  readonly network?: string
}

export interface NumberRange extends PhoneProblem {
  /** A regular expression for the beginning of the national number, without its leading 0. */
  readonly begins: string
  /** The rail of this network: where the rail is on, phones of the network get prompts. */
  readonly rail?: MobileRail
}

/**
 * Only ranges that the numbering plans of the regulators settle (CA Kenya, UCC Uganda; sources in `docs/providers.md`
 * 10.5). The provider judges all other numbers, because networks open new ranges. An owner may have moved a number to
 * another network, so for `other_network` the page lets a payer say so.
 */
const ranges: Readonly<Record<Country, readonly NumberRange[]>> = {
  ke: [
    { begins: '[2456]', kind: 'landline' },
    { begins: '[89]00', kind: 'service_number' },
    {
      ...{ begins: '10|73|75[0-6]|78', kind: 'other_network', network: 'Airtel' },
      rail: 'airtel_money',
    },
    { begins: '77', kind: 'other_network', network: 'Telkom' },
    { begins: '76[3-6]', kind: 'other_network', network: 'Equitel' },
    { begins: '747', kind: 'other_network', network: 'Faiba' },
  ],
  ug: [
    { begins: '[24]', kind: 'landline' },
    { begins: '[89]00', kind: 'service_number' },
    { begins: '70|74|75', kind: 'other_network', network: 'Airtel', rail: 'airtel_money' },
    { begins: '71', kind: 'other_network', network: 'Uganda Telecom' },
    { begins: '72[67]', kind: 'other_network', network: 'Lycamobile' },
  ],
}

/** The ranges that get no prompt where these rails are on. */
export function rangesWithoutPrompt({
  country,
  mobileRails,
}: CountryRules): readonly NumberRange[] {
  return ranges[country].filter(({ rail }) => rail === undefined || !mobileRails.includes(rail))
}

/** The ranges that `likelyRail` knows the rail of, where that rail is on. */
export function rangesOfRails({ country, mobileRails }: CountryRules): readonly NumberRange[] {
  return ranges[country].filter(({ rail }) => rail !== undefined && mobileRails.includes(rail))
}

/** Why a canonical phone of this country gets no prompt; undefined when nothing is known against one. */
export function phoneProblem(phone: string, rules: CountryRules): PhoneProblem | undefined {
  return rangesWithoutPrompt(rules).find((range) => isIn(range, phone, rules))
}

/** The rail that `ranges` names for a phone, whether on or off; undefined for others, as of M-PESA and MTN. */
export function railOfNumber(phone: string, rules: CountryRules): MobileRail | undefined {
  return ranges[rules.country].find((range) => isIn(range, phone, rules))?.rail
}

function isIn({ begins }: NumberRange, phone: string, { callingCode }: CountryRules): boolean {
  return new RegExp(`^${callingCode}(?:${begins})`).test(phone)
}

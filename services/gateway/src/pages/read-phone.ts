import { namedRail } from '@malipo/interface/mobile-rail'
import { phoneFromPerson } from '@malipo/interface/phone'
import {
  phoneProblem,
  type PhoneProblem,
  rangesWithoutPrompt,
} from '@malipo/interface/phone-problem'
import type { Country, CountryRules, MobileRail } from '@malipo/kernel/countries'
import type { Texts } from './texts/texts'

/** The phone of a form: what was typed, and the canonical phone that a prompt can go to. */
export interface TypedPhone {
  readonly typed: string
  /** Undefined when it is no phone of this country, or none that gets a prompt: `phoneError` then says why. */
  readonly phone: string | undefined
  readonly problem: PhoneProblem | undefined
  /** The rail that the payer chose by hand. */
  readonly rail: MobileRail | undefined
}

export function readPhone(fields: URLSearchParams, rules: CountryRules): TypedPhone {
  const typed = fields.get('phone') ?? ''
  const phone = phoneFromPerson(typed, rules)
  const rail = namedRail(fields.get('rail') ?? '', rules)
  const found = phone === undefined ? undefined : phoneProblem(phone, rules)
  // Only the owner knows that a number has moved to another network.
  const isMoved = found?.kind === 'other_network' && (fields.has('moved') || rail !== undefined)
  const problem = isMoved ? undefined : found
  return { typed, phone: problem === undefined ? phone : undefined, problem, rail }
}

/** What is wrong with a phone that was refused, and what to do. */
export function phoneError(
  problem: PhoneProblem | undefined,
  texts: Texts,
  rules: CountryRules,
): string {
  const { badPhone, landline, serviceNumber, otherNetwork } = texts.start
  const needed = neededNetwork[rules.country]
  switch (problem?.kind) {
    case undefined:
      return badPhone(phoneExample[rules.country])
    case 'landline':
      return landline
    case 'service_number':
      return serviceNumber
    case 'other_network':
      return otherNetwork(problem.network ?? '', moneyOf(texts, rules), needed)
  }
}

/** The rules above as data, by which the page's script refuses a phone before it is sent. */
export function phoneChecks(texts: Texts, rules: CountryRules): string {
  const ranges = rangesWithoutPrompt[rules.country].map((range) => ({
    begins: range.begins,
    error: phoneError(range, texts, rules),
    isMovable: range.kind === 'other_network',
  }))
  const { callingCode } = rules
  return JSON.stringify({ callingCode, error: phoneError(undefined, texts, rules), ranges })
}

/** Whose numbers pay here, as payers name the networks. */
export const neededNetwork = {
  ke: 'Safaricom',
  ug: 'MTN / Airtel',
} as const satisfies Record<Country, string>

/** A number as it is usually written in a country. */
const phoneExample = {
  ke: '0712 345 678',
  ug: '0772 123 456',
} as const satisfies Record<Country, string>

function moneyOf(texts: Texts, { mobileRails }: CountryRules): string {
  return mobileRails.length > 1 ? texts.anyRail : texts.rails[mobileRails[0]]
}

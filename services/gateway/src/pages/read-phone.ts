import { namedRail } from '@malipo/interface/mobile-rail'
import { phoneFromPerson } from '@malipo/interface/phone'
import {
  phoneProblem,
  type PhoneProblem,
  rangesOfRails,
  rangesWithoutPrompt,
} from '@malipo/interface/phone-problem'
import type { Country, CountryRules, MobileRail } from '@malipo/kernel/countries'
import type { Texts } from './texts/texts'

/** The phone of a form: the input, and the canonical phone for the prompt. */
export interface TypedPhone {
  readonly typed: string
  /** Undefined when no prompt can go to it: `phoneError` then has the reason. */
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
  // The owner states that the number has moved to another network.
  const isMoved = found?.kind === 'other_network' && (fields.has('moved') || rail !== undefined)
  const problem = isMoved ? undefined : found
  return { typed, phone: problem === undefined ? phone : undefined, problem, rail }
}

/** Why a phone was refused, and what to do. */
export function phoneError(
  problem: PhoneProblem | undefined,
  texts: Texts,
  rules: CountryRules,
): string {
  const { badPhone, landline, serviceNumber, otherNetwork } = texts.start
  const needed = neededNetworks(rules)
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

/**
 * The rules of `readPhone` as data, so that the page's script refuses a phone before it is sent, and those of
 * `likelyRail`, so that it knows which network a number decides on.
 */
export function phoneChecks(texts: Texts, rules: CountryRules): string {
  const ranges = rangesWithoutPrompt(rules).map((range) => ({
    begins: range.begins,
    error: phoneError(range, texts, rules),
    isMovable: range.kind === 'other_network',
  }))
  const rails = rangesOfRails(rules).map(({ begins, rail }) => ({ begins, rail }))
  const { callingCode } = rules
  const error = phoneError(undefined, texts, rules)
  return JSON.stringify({ callingCode, error, ranges, rails, rail: rules.mobileRails[0] })
}

const networkOf = {
  mpesa: 'Safaricom',
  mtn_momo: 'MTN',
  airtel_money: 'Airtel',
} as const satisfies Record<MobileRail, string>

/** The networks that can pay here, by their public names. */
export function neededNetworks({ mobileRails }: CountryRules): string {
  return mobileRails.map((rail) => networkOf[rail]).join(' / ')
}

const phoneExample = {
  ke: '0712 345 678',
  ug: '0772 123 456',
} as const satisfies Record<Country, string>

function moneyOf(texts: Texts, { mobileRails }: CountryRules): string {
  return mobileRails.length > 1 ? texts.anyRail : texts.rails[mobileRails[0]]
}

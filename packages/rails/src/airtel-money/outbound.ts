import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { isWholeMajor, majorText } from '@malipo/kernel/money'
import { z } from 'zod'
import { description } from '../outbound-texts'
import type { Prompt } from '../rail'
import { transactionIdOf } from './transaction-id'

/** `256752123456` -> `752123456`, as Airtel wants it; undefined for a number of another country. */
export function nationalNumber(phone: string, { callingCode }: CountryRules): string | undefined {
  return new RegExp(`^${callingCode}(\\d{9})$`).exec(phone)?.[1]
}

/** Airtel's amounts are JSON numbers; those within our limits are exact in one. */
const shillings = z.coerce.number().positive()

/** The body of a payment (providers.md 4). */
export function payBody(prompt: Prompt, msisdn: string, rules: CountryRules) {
  // Nothing is rounded here: the ledger asks for whole shillings where a provider takes no others.
  if (rules.wholeMajorOnly && !isWholeMajor(prompt.amountMinor)) {
    throw new Fault('internal', { amountMinor: String(prompt.amountMinor) })
  }
  const market = marketOf(rules)
  return {
    // A text of at most 64 characters for the payer. No payment is found by it: the transaction has an id.
    reference: `${description(prompt.payeeName, 51)} ${prompt.attemptReference}`,
    subscriber: { ...market, msisdn },
    transaction: {
      amount: shillings.parse(majorText(prompt.amountMinor)),
      ...market,
      id: transactionIdOf(prompt.intentId),
    },
  }
}

/**
 * The headers, beside `authorization`, of every call that needs a token: payments, enquiries, refunds, and the fetch of
 * the encryption key.
 */
export function commonHeaders(rules: CountryRules): Record<string, string> {
  const { country, currency } = marketOf(rules)
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'x-country': country,
    'x-currency': currency,
  }
}

/** The country and the currency as Airtel names them, such as `UG` and `UGX`. */
function marketOf({ country, currency }: CountryRules) {
  return { country: country.toUpperCase(), currency }
}

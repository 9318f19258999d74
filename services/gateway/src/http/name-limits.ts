import { type CountryRules, limitsText } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'

/** Passes an answer of the ledger on; a refusal of the amount names the limits of this country. */
export async function nameLimits<Value>(
  rules: CountryRules,
  answer: Promise<Value>,
): Promise<Value> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.reason !== 'amount_outside_limits') throw error
    throw new Fault(error.reason, error.facts, error, { description: limitsText(rules) })
  })
}

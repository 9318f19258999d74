import { type CountryRules, limitsText } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'

/** Returns the ledger's result; a refused amount gets this country's limits in its message. */
export async function explainAmountLimits<Value>(
  rules: CountryRules,
  answer: Promise<Value>,
): Promise<Value> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.reason !== 'amount_outside_limits') throw error
    throw new Fault(error.reason, error.facts, error, { description: limitsText(rules) })
  })
}

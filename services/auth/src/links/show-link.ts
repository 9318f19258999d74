import type { Link as WireLink } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Money } from '@malipo/contracts/proto/money/v1/money'
import { type Country, countries } from '@malipo/kernel/countries'
import type { Link, Suggestion } from './rules/link'

/** The title and the amount of a link in wire format. The amount has the currency of the home country. */
export function showSuggestion(
  suggestion: Suggestion | undefined,
  homeCountry: Country,
): { title?: string; amount?: Money } {
  if (suggestion === undefined) return {}
  const { title, amountMinor: minor } = suggestion
  return { title, amount: { currency: countries[homeCountry].currency, minor } }
}

export function showLink({ suggestion, ...link }: Link, homeCountry: Country): WireLink {
  return { ...link, ...showSuggestion(suggestion, homeCountry) }
}

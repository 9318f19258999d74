import type { Link } from './rules/link'
import type { LinkView } from '@malipo/interface/hub'

/** `paymentsUrl`: the payments host of the owner's country. */
export function showLink(link: Link, paymentsUrl: string): LinkView {
  const { handle, suggestion, createdAt, closedAt } = link
  return {
    handle,
    url: `${paymentsUrl}/p/${handle}`,
    title: suggestion?.title ?? null,
    amount: suggestion === undefined ? null : String(suggestion.amountMinor),
    created_at: createdAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  }
}

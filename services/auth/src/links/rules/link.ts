import type { Minor } from '@malipo/kernel/money'
import type { Account } from '../../accounts/rules/account'

/** A link's title and suggested amount; an open link has none, and the payer enters the amount. */
export interface Suggestion {
  readonly title: string
  /** In the currency of the account's home country. */
  readonly amountMinor: Minor
}

/** A handle for payments to an account. Once closed it has no owner, and is never given to another account. */
export interface Link {
  readonly handle: string
  readonly suggestion?: Suggestion
  readonly createdAt: Date
  readonly closedAt?: Date
}

export interface ResolvedHandle {
  /** The handle in the owner's spelling. */
  readonly handle: string
  readonly account: Account
  readonly suggestion?: Suggestion
  readonly acceptsPayments: boolean
}

/** More than anyone manages by hand; all links of an account fit in one answer. */
export const linksMax = 200

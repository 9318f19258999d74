import type { Minor } from '@malipo/kernel/money'
import type { Account } from './account'

/** What a link asks of its payer; an open link asks nothing, and the payer says how much. */
export interface Suggestion {
  readonly title: string
  /** In the currency of the account's home country. */
  readonly amountMinor: Minor
}

/** An address of its own to be paid at. Closed, it has no owner, and is never given to another account. */
export interface Link {
  readonly handle: string
  readonly suggestion?: Suggestion
  readonly createdAt: Date
  readonly closedAt?: Date
}

/** The payee of a handle. */
export interface ResolvedHandle {
  /** As its owner writes it. */
  readonly handle: string
  readonly account: Account
  readonly suggestion?: Suggestion
  readonly acceptsPayments: boolean
}

/** More than anybody manages by hand; all of an account's links fit in one answer. */
export const linksMax = 200

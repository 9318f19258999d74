/** At most `limit` requests of one subject in any `windowSeconds`. */
export interface RatePolicy {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** The limits of the interface (Rate limits) that are counted here; those by phone and checkout the ledger counts. */
export const ratePolicies = {
  /** Of an account, over both merchant routes. */
  merchant: { name: 'merchant', limit: 120, windowSeconds: 60 },
  /** Of an address, with keys that were never good: as many as the interface lets an account ask. */
  stranger: { name: 'stranger', limit: 120, windowSeconds: 60 },
  /** Of an address, each. */
  read: { name: 'read', limit: 120, windowSeconds: 60 },
  resolve: { name: 'resolve', limit: 120, windowSeconds: 60 },
  /** Of checkouts and handles together. */
  pay: { name: 'pay', limit: 30, windowSeconds: 3_600 },
  /** Of an address, from the JSON route and the page together. */
  card: { name: 'card', limit: 20, windowSeconds: 3_600 },
  /**
   * Of an address: the page has a budget of its own, so that looking at it takes nothing from the public read. A wide one,
   * because a mobile network puts many payers behind one address, and their pages look again every few seconds.
   */
  page: { name: 'page', limit: 600, windowSeconds: 60 },
  /** Of an address that is on no provider's list; providers themselves are never made to wait. */
  callback: { name: 'callback', limit: 120, windowSeconds: 60 },
} as const satisfies Record<string, RatePolicy>

/** How one request stands in its window. */
export interface Standing {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Until the oldest request leaves the window and makes room. */
  readonly waitMs: number
}

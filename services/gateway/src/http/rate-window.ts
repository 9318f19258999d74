import type { RatePolicy } from '@malipo/runtime/local-windows'

/** The limits of the interface (Rate limits) that are counted here; those by phone and checkout the ledger counts. */
export const ratePolicies = {
  /** Of an account, over both merchant routes. */
  merchant: { name: 'merchant', limit: 120, windowSeconds: 60 },
  /** Refused keys of an address: as many as the interface lets an account ask. */
  other: { name: 'other', limit: 120, windowSeconds: 60 },
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
  /** Of an address that is on no provider's list, and then of a payment that is called about (`limit-callers.ts`). */
  callback: { name: 'callback', limit: 120, windowSeconds: 60 },
} as const satisfies Record<string, RatePolicy>

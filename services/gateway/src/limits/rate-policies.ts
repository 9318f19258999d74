import type { RatePolicy } from '@malipo/runtime/local-windows'

/** The interface's rate limits that are counted here; the ledger counts those by phone and by checkout. */
export const ratePolicies = {
  /** By account, over both merchant routes. */
  merchant: { name: 'merchant', limit: 120, windowSeconds: 60 },
  /** Refused keys by address: as many as the interface allows an account. */
  other: { name: 'other', limit: 120, windowSeconds: 60 },
  /** By address, for each route. */
  read: { name: 'read', limit: 120, windowSeconds: 60 },
  resolve: { name: 'resolve', limit: 120, windowSeconds: 60 },
  /** By address; payments of checkouts and of handles share it. */
  pay: { name: 'pay', limit: 30, windowSeconds: 3_600 },
  /** By address; the JSON route and the page share it. */
  card: { name: 'card', limit: 20, windowSeconds: 3_600 },
  /**
   * By address: the page has its own budget, so that page views take nothing from the public read. It is wide,
   * because a mobile network puts many payers behind one address, and their pages poll every few seconds.
   */
  page: { name: 'page', limit: 600, windowSeconds: 60 },
  /** By unlisted address, and then by payment (`limit-callers.ts`). */
  callback: { name: 'callback', limit: 120, windowSeconds: 60 },
} as const satisfies Record<string, RatePolicy>

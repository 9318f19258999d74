import type { Instant } from '../settlement/state'

/** A time whose statement was read to its end. */
export interface StatementRead {
  readonly provider: string
  readonly from: Instant
  readonly until: Instant
}

/** Providers with a statement. The word of another is its answer to our question about each payment. */
export const statedProviders: readonly string[] = ['mpesa']

/** What says how far a provider's word is known. */
export interface KnownReads {
  /** When the ledger was set up: there was nothing to read before. */
  readonly begun: Instant
  /** Of all providers, in any order. */
  readonly reads: readonly StatementRead[]
}

/** Until when a provider's word is known without a gap, from an instant on. A provider without a statement is always known. */
export function statementReadUntil(
  { begun, reads }: KnownReads,
  { provider, from, until }: StatementRead,
): Instant {
  if (!statedProviders.includes(provider)) return until
  let known = Math.max(from, begun)
  const own = reads.filter((read) => read.provider === provider)
  for (const read of own.sort((one, other) => one.from - other.from)) {
    if (read.from > known) break
    known = Math.max(known, read.until)
  }
  return Math.min(until, known)
}

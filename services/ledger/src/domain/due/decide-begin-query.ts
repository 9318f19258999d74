import type { IntentStatus } from '../intent'
import type { Instant } from '../settlement/state'
import { nextQueryAt } from './next-query-at'

/** What a status query is decided on. */
export interface QueryState {
  readonly now: Instant
  readonly id: string
  readonly status: IntentStatus
  /** When the provider is to be asked. */
  readonly queryAt: Instant | null
  readonly submittedAt: Instant | null
  readonly isEnded: boolean
  /** A status answer said "paid" without a receipt. */
  readonly receiptWanted: boolean
  readonly isReported: boolean
}

export interface QueryWrite {
  readonly id: string
  readonly askedAt: Instant
  readonly queryAt: Instant | null
}

/** Decides whether the caller is to ask the provider now. Undefined while it is not time. */
export function decideBeginQuery(
  state: QueryState,
  queryEverySeconds: number,
): QueryWrite | undefined {
  const { now, id, queryAt } = state
  if (queryAt === null || queryAt > now) return undefined
  const next = isWatched(state) ? nextQueryAt(state, queryEverySeconds) : null
  return { id, askedAt: now, queryAt: next }
}

/** A failed intent is asked about once; like an expired one, when something said that it was paid after all. */
function isWatched({ status, receiptWanted, isReported }: QueryState): boolean {
  return status !== 'failed' || receiptWanted || isReported
}

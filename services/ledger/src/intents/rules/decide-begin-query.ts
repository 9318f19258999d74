import type { MobileRail, Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { PromptTimes } from '@malipo/kernel/prompts'
import { asksByPrompt, railAbilities } from '@malipo/kernel/rail-abilities'
import { type Instant, later } from '../../evidence/rules/state'
import { type IntentStatus, type IntentEvent, intentMachine } from './intent'

const queriesApartMaxSeconds = 3_600
/** How long after its prompt a provider is asked about money that may still come. */
export const watchedSeconds = 72 * 3_600
const lastQuerySeconds = 30 * 86_400
const lastQueriesApartSeconds = 6 * 3_600
const lastQueriesForSeconds = 86_400

const receiptSoonSeconds = 600

export interface Watched {
  readonly now: Instant
  readonly submittedAt: Instant | null
}

/**
 * When to ask again about money that may still come: ever more seldom, at last hourly. Null once 72 hours have passed
 * since the prompt was sent; what comes after that is `lastQueryAt`.
 */
export function nextWatchAt({ now, submittedAt }: Watched, atLeastSeconds: number): Instant | null {
  if (submittedAt === null) return null
  const ageSeconds = (now - submittedAt) / 1_000_000
  const seldom = Math.max(atLeastSeconds, Math.min(ageSeconds / 4, queriesApartMaxSeconds))
  return ageSeconds + seldom < watchedSeconds ? Math.round(later(now, seldom)) : null
}

/**
 * When to query the provider again. The interval is constant while the attempt is in flight, and for ten minutes after the
 * prompt while its receipt is missing. Later it is the growing interval of `nextWatchAt`.
 */
export function nextQueryAt(
  request: Watched & { readonly isEnded: boolean; readonly receiptWanted: boolean },
  queryEverySeconds: number,
): Instant | null {
  const { now, submittedAt, isEnded, receiptWanted } = request
  const isReceiptSoon =
    receiptWanted && submittedAt !== null && now < later(submittedAt, receiptSoonSeconds)
  if (!isEnded || isReceiptSoon) return Math.round(later(now, queryEverySeconds))
  return nextWatchAt(request, queryEverySeconds)
}

/**
 * When a prompt is queried for the last time, after its watch. Where no statement lists the money, only a query finds
 * it, and the provider's support may decide the payment late. Operators see the prompt until a day before this query. It is
 * repeated for a day, because a query may stay without an answer.
 */
export function lastQueryAt({
  now,
  rail,
  submittedAt,
}: Watched & Pick<QueryState, 'rail'>): Instant | null {
  if (submittedAt === null || !asksByPrompt(rail) || railAbilities[rail].hasStatement) return null
  const at = later(submittedAt, lastQuerySeconds)
  if (at > now) return at
  return now < later(at, lastQueriesForSeconds) ? later(now, lastQueriesApartSeconds) : null
}

/** What a status query is decided on. */
export interface QueryState {
  readonly now: Instant
  readonly id: string
  readonly rail: Rail
  /** When the provider is to be asked. */
  readonly queryAt: Instant | null
  readonly submittedAt: Instant | null
  readonly isEnded: boolean
  /** A status query was answered with "paid", without a receipt. */
  readonly receiptWanted: boolean
  /** The attempt was reported as paid, or one query answer was "declined". */
  readonly isReportedOrDenied: boolean
}

export interface FirstQueryTerms {
  readonly promptTimes: Readonly<Record<MobileRail, Pick<PromptTimes, 'queryAfterSeconds'>>>
  readonly cardQueryAfterSeconds: number
}

/** How long after an attempt was submitted its provider is first asked. */
export function queryAfterSeconds(rail: Rail, terms: FirstQueryTerms): number {
  return asksByPrompt(rail)
    ? terms.promptTimes[rail].queryAfterSeconds
    : terms.cardQueryAfterSeconds
}

export interface QueryTerms {
  readonly queryEverySeconds: number
  /** From the order of a prompt of this rail to its first status query. */
  readonly queryAfterSeconds: number
}

export interface QueryWrite {
  readonly id: string
  readonly askedAt: Instant
  readonly queryAt: Instant | null
}

/**
 * Decides whether the caller is to ask the provider now. Undefined while it is not time. A query may stay without an answer, so
 * only an answer ends the watch of a failed intent.
 */
export function decideBeginQuery(state: QueryState, terms: QueryTerms): QueryWrite | undefined {
  const { now, id, queryAt } = state
  if (queryAt === null || queryAt > now) return undefined
  return { id, askedAt: now, queryAt: queryAgainAt(state, terms) ?? lastQueryAt(state) }
}

/**
 * When to query again, after this query. A message that anyone can make up brings only the first query forward: the second
 * comes no sooner than the first would have come, unless the attempt was reported as paid or denied.
 */
export function queryAgainAt(
  state: Watched & Pick<QueryState, 'isEnded' | 'receiptWanted' | 'isReportedOrDenied'>,
  { queryEverySeconds, queryAfterSeconds }: QueryTerms,
): Instant | null {
  const { submittedAt, isEnded, receiptWanted, isReportedOrDenied } = state
  const at = nextQueryAt(state, queryEverySeconds)
  if (at === null || submittedAt === null || isEnded || receiptWanted || isReportedOrDenied)
    return at
  return Math.max(at, later(submittedAt, queryAfterSeconds))
}

/** What `decideExpiry` decides on. An intent with a deadline has not ended. */
export interface OverdueState {
  readonly now: Instant
  readonly id: string
  readonly status: Extract<IntentStatus, 'created' | 'reserved' | 'submitted' | 'pending'>
  readonly deadlineAt: Instant
  readonly submittedAt: Instant | null
  readonly receiptWanted: boolean
}

/** The columns of an intent that its expiry changes, beside the deadline, which becomes null. */
export interface ExpiryWrite {
  readonly id: string
  readonly status: IntentStatus
  readonly event: Extract<IntentEvent, 'lapsed'>
  readonly cause: Extract<FailureCause, 'not_started' | 'unconfirmed'>
  readonly endedAt: Instant
  /** When the provider is queried again, as money may still come. Null where no prompt was sent. */
  readonly queryAt: Instant | null
}

/** Decides how an intent ends whose deadline has passed. Undefined before the deadline. */
export function decideExpiry(
  state: OverdueState,
  queryEverySeconds: number,
): ExpiryWrite | undefined {
  const { now, id, status, deadlineAt, submittedAt } = state
  if (deadlineAt > now) return undefined
  return {
    ...{ id, status: intentMachine[status].lapsed, event: 'lapsed', endedAt: now },
    cause: submittedAt === null ? 'not_started' : 'unconfirmed',
    queryAt:
      submittedAt === null ? null : nextQueryAt({ ...state, isEnded: true }, queryEverySeconds),
  }
}

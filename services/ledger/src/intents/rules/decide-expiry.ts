import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Instant } from '../../evidence/rules/state'
import { type IntentEvent, intentMachine, type IntentStatus } from './intent'
import { nextQueryAt } from './decide-begin-query'

/** What the end of an intent is decided on. One with a deadline has not ended. */
export interface OverdueState {
  readonly now: Instant
  readonly id: string
  readonly status: Extract<IntentStatus, 'created' | 'reserved' | 'submitted' | 'pending'>
  readonly deadlineAt: Instant
  readonly submittedAt: Instant | null
  readonly receiptWanted: boolean
}

/** The columns of an intent that its expiry changes, beside the deadline, which it has no more. */
export interface ExpiryWrite {
  readonly id: string
  readonly status: IntentStatus
  readonly event: Extract<IntentEvent, 'lapsed'>
  readonly cause: Extract<FailureCause, 'not_started' | 'unconfirmed'>
  readonly endedAt: Instant
  /** When the provider is asked again, as money may still come. Null where it was asked for none. */
  readonly queryAt: Instant | null
}

/** Decides what an intent becomes whose deadline has passed. Undefined before that. */
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

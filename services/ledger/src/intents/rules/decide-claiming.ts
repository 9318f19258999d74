import { promptTimes } from '@malipo/kernel/prompts'
import { type Instant, later } from '../../evidence/rules/state'
import type { IntentStatus } from './intent'

// New work is left to its job for a second (`interval '1 second'` in the stores). Then the sweep hands it out.

/**
 * How long a claimed row is handed out to no other worker. The call that begins its work comes sooner, and sets when
 * the row is due again.
 */
export const leaseSeconds = 5

/** A message is parked after this many readings that never ended: one more would only break its reader again. */
export const claimsPerMessageMax = 10

/**
 * The age of a prompt from which a query's "no" counts by itself: while the prompt is open it may only mean "not yet". A
 * deployment that asks sooner has shorter prompts.
 */
export function denyAfterSeconds(queryAfterSeconds: number): number {
  return Math.min(promptTimes.mpesa.promptSeconds, queryAfterSeconds)
}

/** What is due to be done in the outside world. */
export type DueWork =
  | { readonly kind: 'intent'; readonly id: string; readonly status: IntentStatus }
  | {
      readonly kind: 'message'
      readonly id: string
      /** How often it was handed out to be read. */
      readonly claims: number
      readonly isOfStatement: boolean
    }

/** `watch`: a status query of an ended intent. `parked`: a message that is handed out no more. */
export interface Claimed {
  readonly kind: 'submit' | 'query' | 'watch' | 'read' | 'parked'
  readonly id: string
}

export type ClaimWrite =
  | { readonly kind: 'intent'; readonly id: string; readonly nextActionAt: Instant }
  | {
      readonly kind: 'message'
      readonly id: string
      readonly claims: number
      readonly nextActionAt: Instant
    }
  | { readonly kind: 'parked'; readonly id: string; readonly detail: string }

export interface ClaimTerms {
  readonly leaseSeconds: number
  readonly claimsPerMessageMax: number
}

export interface ClaimDecided {
  readonly claimed: Claimed
  readonly write: ClaimWrite
}

/** The work that is due for an intent, by its status: its prompt while it is reserved, a status query afterwards. */
const workOf = {
  created: 'query',
  reserved: 'submit',
  submitted: 'query',
  pending: 'query',
  completed: 'watch',
  failed: 'watch',
  expired: 'watch',
  reversed: 'watch',
} as const satisfies Record<IntentStatus, 'submit' | 'query' | 'watch'>

/**
 * Leases what is due. A message is leased twice as long each time, and is parked for an operator once it was read too
 * often without an end. A statement row is never parked: it would count as applied, and not be applied when the statement
 * shows it again.
 */
export function decideClaiming(
  now: Instant,
  due: DueWork,
  { leaseSeconds, claimsPerMessageMax }: ClaimTerms,
): ClaimDecided {
  const { id } = due
  if (due.kind === 'intent') {
    const nextActionAt = later(now, leaseSeconds)
    return {
      claimed: { kind: workOf[due.status], id },
      write: { kind: 'intent', id, nextActionAt },
    }
  }
  const { claims, isOfStatement } = due
  if (claims >= claimsPerMessageMax && !isOfStatement) {
    const detail = `read ${String(claims)} times without an end`
    return { claimed: { kind: 'parked', id }, write: { kind: 'parked', id, detail } }
  }
  const nextActionAt = later(now, leaseSeconds * 2 ** Math.min(claims, claimsPerMessageMax))
  return {
    claimed: { kind: 'read', id },
    write: { kind: 'message', id, claims: claims + 1, nextActionAt },
  }
}

const doublingsMax = 8

/** When a message whose payee is wanted is handed out again: ever more seldom, and for as long as it takes. */
export function nextPayeeClaimAt(now: Instant, claims: number, leaseSeconds: number): Instant {
  return later(now, leaseSeconds * 2 ** Math.min(claims, doublingsMax))
}

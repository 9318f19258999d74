import type { IntentStatus } from '@malipo/interface/fields'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import { promptTimes } from '@malipo/kernel/prompts'
import { asksByPage, asksByPrompt } from '@malipo/kernel/rail-abilities'
import type { Attempt, PayerCheckout } from '@malipo/ledger-client/checkouts'

/** The payer page's screen, computed from the ledger's data alone, so that back, reload and a second tab agree. */
export type Screen =
  | {
      readonly name: 'start'
      readonly mayHavePaid: boolean
      /** A payment was reported, and two operators found that it was not made: the payer may pay again. */
      readonly isFoundUnpaid: boolean
    }
  /** Another prompt is open on the phone or goes first: this intent's prompt waits for it, and may not be sent. */
  | { readonly name: 'queued'; readonly attempt: Attempt; readonly waitedMs: number }
  /**
   * A payment from the Pay Bill menu was reported, and is being confirmed. `isPromptOpen`: a prompt may be paid too.
   */
  | { readonly name: 'reported'; readonly isPromptOpen: boolean }
  /** A prompt is being sent or is on the phone. */
  | {
      readonly name: 'waiting'
      readonly attempt: Attempt
      readonly waitedMs: number
      /** Undefined until the prompt is sent. */
      readonly promptLeftMs: number | undefined
    }
  /** The push has no answer, so a second prompt could be paid as well. */
  | { readonly name: 'unanswered'; readonly attempt: Attempt; readonly waitedMs: number }
  /** The result of the intent, or the owner of its money, is still unknown. */
  | {
      readonly name: 'unconfirmed'
      readonly attempt: Attempt
      readonly isHeld: boolean
      /** The provider has reported the payment, and we are confirming it. */
      readonly isReported: boolean
      readonly mayPayAgain: boolean
      /** An earlier prompt may be paid too: the money that is held came from the menu. */
      readonly isPromptOpen?: boolean
      /** The time for which the prompt is still open, as it may outlive the two minutes of polling. */
      readonly promptLeftMs: number | undefined
      /**
       * Set where the page keeps looking: what a provider has reported, and how a payment at the card gateway ended,
       * may be confirmed minutes later.
       */
      readonly waitedMs?: number
    }
  | {
      readonly name: 'failed'
      readonly attempt: Attempt
      readonly cause: ShownCause
      /**
       * True when certainly no money was taken by any intent, so that the payer can safely pay again. Status queries
       * alone are not certain.
       */
      readonly noMoneyTaken: boolean
      readonly mayHavePaid: boolean
    }
  /**
   * Paid. `isReturned`: the money has gone back since. `isFresh`: paid just now, so that the payer returns to the shop
   * automatically.
   */
  | { readonly name: 'paid'; readonly isReturned: boolean; readonly isFresh: boolean }
  | { readonly name: 'expired'; readonly mayHavePaid: boolean }

export type ShownCause = Exclude<FailureCause, 'unconfirmed'> | 'unknown'

/** Most reports of payment are confirmed sooner than this, so their payers never see this screen. */
const reportedForMs = 10_000

/** As long as the page polls (interface, Other constants); after that, the page stops waiting. */
const waitingMs = 120_000

const standings = {
  created: 'in_flight',
  reserved: 'in_flight',
  submitted: 'in_flight',
  pending: 'in_flight',
  /** Money came that this checkout cannot take as it stands: an operator handles it. */
  completed: 'uncertain',
  failed: 'over',
  expired: 'over',
  reversed: 'returned',
} as const satisfies Record<IntentStatus, string>

export function isInFlight(status: IntentStatus): boolean {
  return standings[status] === 'in_flight'
}

/** Whether no money has come for an intent of this status, and may still come. */
export function isUnpaid(status: IntentStatus): boolean {
  return isInFlight(status) || standings[status] === 'over'
}

export type Standing = Pick<
  PayerCheckout,
  | 'status'
  | 'attempt'
  | 'intentId'
  | 'mayHavePaid'
  | 'isFoundUnpaid'
  | 'deniedRail'
  | 'completedAt'
  | 'payBillReportedAt'
>

/** A receipt opened later than this after the payment stays open. */
const freshMs = 120_000

export function screenOf(standing: Standing, nowMs: number): Screen {
  const { status, attempt, mayHavePaid, payBillReportedAt } = standing
  if (status === 'completed') return paidOf(standing, nowMs)
  // Shown before a prompt that is open: a payer who has paid from the menu must not pay it too.
  if (payBillReportedAt !== undefined) return { name: 'reported', isPromptOpen: isOpen(standing) }
  if (attempt !== undefined && isInFlight(attempt.status)) return waitOf(attempt, nowMs)
  if (status === 'expired') return { name: 'expired', mayHavePaid }
  return endedOf(standing, nowMs)
}

/** Whether an intent is in flight: the newest, or one before money from the menu, which is an intent too. */
function isOpen({ attempt, intentId }: Standing): boolean {
  if (attempt !== undefined && isInFlight(attempt.status)) return true
  return intentId !== undefined && intentId !== attempt?.intentId
}

/** Whether money may come although no intent is shown as in flight: the newest may have given back money from the menu. */
function isInDoubt(standing: Standing): boolean {
  return standing.mayHavePaid || isOpen(standing)
}

/** The screen of a checkout without an intent, or whose newest intent ended without money for it. */
function endedOf(standing: Standing, nowMs: number): Screen {
  const { attempt, mayHavePaid, deniedRail } = standing
  const isFoundUnpaid = standing.isFoundUnpaid && !mayHavePaid
  if (attempt === undefined || isReturned(attempt) || (isFoundUnpaid && isUncertain(attempt))) {
    return { name: 'start', mayHavePaid: isInDoubt(standing), isFoundUnpaid }
  }
  if (attempt.reportedAt !== undefined || isUncertain(attempt)) {
    return uncertainOf(attempt, isOpen(standing), nowMs)
  }
  const noMoneyTaken = !mayHavePaid && deniedRail === undefined && attempt.cause !== undefined
  return { name: 'failed', attempt, cause: shownCause(attempt), noMoneyTaken, mayHavePaid }
}

/** The screen of an intent that ended, and whose money is held or may still come. */
function uncertainOf(attempt: Attempt, isPromptOpen: boolean, nowMs: number): Screen {
  const isHeld = standings[attempt.status] === 'uncertain'
  const isReported = attempt.reportedAt !== undefined
  const screen = { name: 'unconfirmed', attempt, isHeld, isReported, promptLeftMs: 0 } as const
  if (!isPromptOpen) return { ...screen, mayPayAgain: true }
  const waitedMs = Math.max(0, nowMs - attempt.startedAt.getTime())
  return { ...screen, mayPayAgain: false, isPromptOpen, waitedMs }
}

function paidOf({ attempt, completedAt }: Standing, nowMs: number): Screen {
  const isFresh = completedAt !== undefined && nowMs - completedAt.getTime() < freshMs
  return { name: 'paid', isReturned: isReturned(attempt), isFresh }
}

function waitOf(attempt: Attempt, nowMs: number): Screen {
  const waitedMs = Math.max(0, nowMs - attempt.startedAt.getTime())
  if (attempt.isQueued) return { name: 'queued', attempt, waitedMs }
  const isReported =
    attempt.reportedAt !== undefined && nowMs - attempt.reportedAt.getTime() >= reportedForMs
  if (attempt.isUnanswered && !isReported) {
    return { name: 'unanswered', attempt, waitedMs }
  }
  const promptLeftMs = promptLeft(attempt, nowMs)
  const unconfirmed = { name: 'unconfirmed', attempt, isHeld: false, mayPayAgain: false } as const
  if (isReported) return { ...unconfirmed, isReported, promptLeftMs, waitedMs }
  if (waitedMs <= waitingMs) return { name: 'waiting', attempt, waitedMs, promptLeftMs }
  return { ...unconfirmed, isReported, promptLeftMs, ...(asksByPage(attempt.rail) && { waitedMs }) }
}

/** The time left of the longest that a prompt stays open on a phone after it was sent; undefined until then. */
function promptLeft({ rail, sentAt }: Attempt, nowMs: number): number | undefined {
  if (!asksByPrompt(rail) || sentAt === undefined) return undefined
  const lifeMs = promptTimes[rail].promptSeconds * 1_000
  return Math.max(0, Math.min(lifeMs, sentAt.getTime() + lifeMs - nowMs))
}

function isReturned(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && standings[attempt.status] === 'returned'
}

/** No answer came, or money that we could not place: it may still arrive. */
function isUncertain({ status, cause }: Attempt): boolean {
  if (standings[status] === 'uncertain' || cause === 'unconfirmed') return true
  // An expired intent has another cause only where the provider has declined it since, or nothing was sent.
  return status === 'expired' && cause === undefined
}

function shownCause({ cause }: Attempt): ShownCause {
  return cause === undefined || cause === 'unconfirmed' ? 'unknown' : cause
}

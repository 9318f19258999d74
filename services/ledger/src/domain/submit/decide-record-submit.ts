import type { FailureCause } from '@malipo/kernel/failure-cause'
import { conflict } from '@malipo/kernel/machine'
import { type IntentEvent, intentMachine, type IntentStatus } from '../intent'
import { type PaymentEvent, paymentEventOf } from '../payment-event'
import type { CheckoutPaid } from '../settle'

/** The page that the card gateway has opened. */
export interface OpenedCardSession {
  readonly sessionId: string
  /** What the browser of a payer who has paid brings back. */
  readonly successIndicator: string
}

/** How the call to the provider ended. */
export type SubmitEnd =
  | {
      readonly outcome: 'accepted'
      /** What the provider calls the prompt. */
      readonly providerRequestId: string | undefined
      /** Of an attempt by card: the page that the gateway has opened for it. */
      readonly opened: OpenedCardSession | undefined
    }
  | {
      readonly outcome: 'refused'
      readonly cause: FailureCause
      readonly providerCode: string | undefined
    }
  | { readonly outcome: 'not_sent'; readonly cause: FailureCause; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string }

/** In the words of the column `outcome`. */
export type SubmitOutcome = SubmitEnd['outcome']

const eventOfOutcome = {
  accepted: 'acknowledged',
  refused: 'refused',
  not_sent: 'refused',
  unknown: undefined,
} as const satisfies Record<SubmitOutcome, IntentEvent | undefined>

/** What is written to an attempt. */
export interface RecordedChange {
  /** Null where the attempt stays in its status, by the event that brought it there. */
  readonly event: IntentEvent | null
  /** The provider took no prompt, so the attempt is over, with the cause. Otherwise it keeps its cause and its times. */
  readonly isOver: boolean
  /** Which event it is, by whether an intent of the checkout has paid the merchant. */
  readonly paymentEvents: Readonly<Record<CheckoutPaid, PaymentEvent | undefined>>
}

export interface RecordedSubmit {
  /** The status of the attempt behind it. */
  readonly status: IntentStatus
  /** The provider's answer cannot be true of an attempt in its status. */
  readonly isConflict: boolean
  /** Undefined where the attempt stays as it is. */
  readonly change: RecordedChange | undefined
}

/**
 * Decides what the end of a call to the provider changes of an attempt in a status. The answer may come after the callback, or
 * after the attempt was given up: it still says what the provider calls the prompt, unless that is known.
 */
export function decideRecordSubmit(status: IntentStatus, outcome: SubmitOutcome): RecordedSubmit {
  const event = eventOfOutcome[outcome]
  if (event === undefined) return { status, isConflict: false, change: undefined }
  const next = intentMachine[status][event]
  if (next === conflict) return { status, isConflict: true, change: undefined }
  return { status: next, isConflict: false, change: changeOf({ status, next, event }) }
}

function changeOf({
  status,
  next,
  event,
}: {
  readonly status: IntentStatus
  readonly next: IntentStatus
  readonly event: 'acknowledged' | 'refused'
}): RecordedChange | undefined {
  const isMoved = next !== status
  const eventOf = (isCheckoutPaid: boolean) =>
    paymentEventOf({
      before: { status, disposition: null },
      after: { status: next, disposition: null },
      isCheckoutPaid,
    })
  const paymentEvents = { unpaid: eventOf(false), paid: eventOf(true) }
  if (event === 'acknowledged')
    return { event: isMoved ? event : null, isOver: false, paymentEvents }
  return isMoved ? { event, isOver: true, paymentEvents } : undefined
}

import { type PromptTimes, promptTimes } from '@malipo/kernel/prompts'
import {
  type Claimed,
  type ClaimWrite,
  decideClaiming,
  type DueWork,
} from '../../intents/rules/decide-claiming'
import {
  decideBeginQuery,
  lastQueryAt,
  queryAgainAt,
  decideExpiry,
  type OverdueState,
  type QueryTerms,
} from '../../intents/rules/decide-begin-query'
import type { IntentStatus } from '../../intents/rules/intent'
import type { PaymentEvent } from '../../webhooks/rules/payment-event'
import type { Instant } from '../../evidence/rules/state'
import {
  type BeginSubmitState,
  type Channel,
  decideBeginSubmit,
  decideRecordSubmit,
  type SubmitOutcome,
} from '../../intents/rules/decide-submit'
import { cardTimes, times } from './core.harness'
import { Starts } from './starts.harness'
import { endCall, promptRail, promptSeconds, sentAt } from './prompts.harness'
import { type Intent, micro, type Moment, never, ofHandle, type Page } from './tables.harness'

export interface Due {
  readonly kind: Claimed['kind']
  readonly id: number
  readonly at: Moment
}

/** Returns a name that sorts intents of the same moment in the order of their creation. */
function nameOf({ id }: Intent): string {
  return String(id).padStart(6, '0')
}

type PromptChannel = Extract<Channel, { readonly kind: 'prompt' }>

export function instantOf(at: Moment): Instant | null {
  return Math.abs(at) === never ? null : at * micro
}

export function momentOf(at: Instant | null): Moment {
  return at === null ? never : at / micro
}

/** Models the operations from BeginSubmit to ClaimDue, which take an attempt to a prompt at the provider. */
export class Attempts extends Starts {
  /** Returns whether the caller is the one that may send. */
  beginSubmit(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent === undefined) return false
    const times = this.promptTimesOf(intent)
    const { isTaken, write } = decideBeginSubmit(this.submittable(intent), {
      promptTimes: { mpesa: times, mtn_momo: times, airtel_money: times },
      promptSeconds,
      cardQueryAfterSeconds: cardTimes.queryAfterSeconds,
    })
    if (write?.paymentEvent !== undefined) this.notify(write.paymentEvent, intent)
    if (write?.event === 'withheld') this.end(intent, 'withheld')
    else if (write !== undefined) {
      for (const at of [
        'submittedAt',
        'deadlineAt',
        'nextActionAt',
        'queryAt',
        'queuedAt',
      ] as const) {
        intent[at] = momentOf(write[at])
      }
      this.move(intent, write.event)
    }
    return isTaken
  }

  private submittable(intent: Intent): BeginSubmitState {
    const { status, createdAt, deadlineAt, queuedAt, checkoutId, rail, page } = intent
    const id = nameOf(intent)
    if (!this.isToSend(intent)) {
      // A reserved intent is always to be sent, so this one is not reserved.
      return { id, status: status as Exclude<IntentStatus, 'reserved'> }
    }
    return {
      ...{ id, status: 'reserved', now: this.now * micro, createdAt: createdAt * micro },
      ...{ deadlineAt: instantOf(deadlineAt), queuedAt: instantOf(queuedAt) },
      isCheckoutPaid: this.isPaid(checkoutId),
      isWalletFrozen: this.payeeOf(checkoutId)?.isFrozen ?? false,
      channel:
        page === undefined
          ? { kind: 'prompt', rail: promptRail(rail), phone: '', ...this.promptsBefore(intent) }
          : { kind: 'page', expiresAt: page.expiresAt * micro },
    }
  }

  protected promptTimesOf({ rail }: Pick<Intent, 'rail'>): PromptTimes {
    return promptTimes[promptRail(rail)]
  }

  /** Returns the other prompts on an attempt's phone: those that are open, and those that wait to be sent. */
  protected promptsBefore({ id, phone }: Intent): Pick<PromptChannel, 'others' | 'waiting'> {
    const onPhone = this.intents.filter(
      (other) =>
        other.id !== id &&
        other.phone === phone &&
        other.reference !== undefined &&
        other.rail !== 'card',
    )
    const open = onPhone.filter(
      ({ submittedAt, endedAt, reportedAt }) =>
        submittedAt !== never && endedAt === never && reportedAt === never,
    )
    const waiting = onPhone.filter(({ status }) => status === 'reserved')
    return {
      others: open.map((other) => ({
        rail: promptRail(other.rail),
        sentAt: sentAt(other) * micro,
      })),
      waiting: waiting.map((other) => ({
        id: nameOf(other),
        createdAt: other.createdAt * micro,
        deadlineAt: instantOf(other.deadlineAt),
        isCheckoutPaid: this.isPaid(other.checkoutId),
      })),
    }
  }

  /** Whether an attempt's prompt may be open on its phone. One that was reported as paid has been answered. */
  isPromptOpen(intent: Intent): boolean {
    const { rail, submittedAt, endedAt, reportedAt, reference } = intent
    if (rail === 'card' || rail === 'paybill' || reference === undefined) return false
    return (
      endedAt === never &&
      reportedAt === never &&
      sentAt(intent) + promptTimes[rail].promptSeconds > this.now &&
      submittedAt !== never
    )
  }

  protected isToSend(intent: Intent): boolean {
    return intent.status === 'reserved'
  }

  recordSubmit(intentId: number, outcome: SubmitOutcome, requestId?: number): void {
    const intent = this.intents[intentId]
    if (intent === undefined) return
    endCall(intent, outcome, this.now)
    const called = { status: intent.status, isReported: this.isReported(intent) }
    const { change } = decideRecordSubmit(called, outcome)
    if (outcome === 'accepted') open(intent.page, requestId)
    if (change === undefined) return
    const { paymentEvents } = change
    const type = this.isPaid(intent.checkoutId) ? paymentEvents.paid : paymentEvents.unpaid
    if (type !== undefined) this.notify(type, intent)
    if (outcome === 'accepted') intent.requestId ??= requestId
    if (change.event === null) return
    if (change.isOver) this.end(intent, change.event)
    else this.move(intent, change.event)
  }

  protected isReported({ isReceiptWanted, reportedAt }: Intent): boolean {
    return isReceiptWanted || reportedAt !== never
  }

  private notify(type: PaymentEvent, { checkoutId }: Intent): void {
    if (checkoutId !== ofHandle) this.events.push({ type, checkoutId })
  }

  /** Returns whether the caller may ask the provider: a query is due, and no other caller has taken it. */
  beginQuery(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent === undefined) return false
    const write = decideBeginQuery(
      {
        ...this.watched(intent),
        id: String(intentId),
        queryAt: instantOf(intent.queryAt),
      },
      this.queryTermsOf(intent),
    )
    if (write === undefined) return false
    intent.askedAt = this.now
    intent.queryAt = write.queryAt === null ? never : this.nextQueryAt(intent)
    intent.nextActionAt = intent.queryAt
    return true
  }

  protected nextQueryAt(intent: Intent): Moment {
    const watched = this.watched(intent)
    return momentOf(queryAgainAt(watched, this.queryTermsOf(intent)) ?? lastQueryAt(watched))
  }

  private queryTermsOf(intent: Intent): QueryTerms {
    const { queryAfterSeconds } = intent.rail === 'card' ? cardTimes : this.promptTimesOf(intent)
    return { queryEverySeconds: times.queryEvery, queryAfterSeconds }
  }

  private watched({ rail, submittedAt, endedAt, isReceiptWanted, ...intent }: Intent) {
    return {
      ...{ now: this.now * micro, rail },
      submittedAt: instantOf(submittedAt),
      isEnded: endedAt !== never,
      receiptWanted: isReceiptWanted,
      isReportedOrDenied: intent.reportedAt !== never || intent.deniedAt !== never,
    }
  }

  /** Ends overdue attempts. Returns how many. */
  expireOverdue(): number {
    let expired = 0
    for (const intent of this.intents) {
      const write = this.expiryOf(intent)
      if (write === undefined) continue
      expired += 1
      intent.endedAt = this.now
      this.end(intent, write.event, write.queryAt === null ? never : this.nextQueryAt(intent))
    }
    return expired
  }

  private expiryOf({ id, status, deadlineAt, submittedAt, isReceiptWanted }: Intent) {
    if (deadlineAt === never) return undefined
    return decideExpiry(
      {
        ...{ now: this.now * micro, id: String(id), deadlineAt: deadlineAt * micro },
        // An intent with a deadline has not ended, so the cast is safe.
        status: status as OverdueState['status'],
        submittedAt: instantOf(submittedAt),
        receiptWanted: isReceiptWanted,
      },
      times.queryEvery,
    )
  }

  isDue(): boolean {
    const isDue = ({ nextActionAt }: { nextActionAt: Moment }) => nextActionAt <= this.now
    return this.intents.some(isDue) || this.messages.some(isDue)
  }

  claimDue(limit: number): Due[] {
    const due: { readonly id: number; readonly at: Moment; readonly work: DueWork }[] = []
    for (const { id, nextActionAt, claims } of this.messages) {
      if (nextActionAt > this.now) continue
      due.push({
        id,
        at: nextActionAt,
        work: { kind: 'message', id: String(id), claims, isOfStatement: false },
      })
    }
    for (const { id, nextActionAt, status } of this.intents) {
      if (nextActionAt > this.now) continue
      due.push({ id, at: nextActionAt, work: { kind: 'intent', id: String(id), status } })
    }
    return due
      .sort((one, other) => one.at - other.at)
      .slice(0, limit)
      .map(({ id, at, work }) => {
        const { claimed, write } = decideClaiming(this.now * micro, work, this.core)
        this.lease(id, write)
        return { kind: claimed.kind, id, at }
      })
  }

  private lease(id: number, write: ClaimWrite): void {
    if (write.kind === 'intent') {
      const intent = this.intents[id]
      if (intent !== undefined) intent.nextActionAt = momentOf(write.nextActionAt)
      return
    }
    const message = this.messages[id]
    if (message === undefined) return
    if (write.kind === 'parked') {
      message.result = 'parked'
      message.nextActionAt = never
    } else {
      message.nextActionAt = momentOf(write.nextActionAt)
      message.claims = write.claims
    }
  }
}

/** Stores the session of a card page, unless one is stored already. */
function open(page: Page | undefined, sessionId: number | undefined): void {
  if (page !== undefined) page.sessionId ??= sessionId
}

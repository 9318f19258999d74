import { conflict } from '@malipo/kernel/machine'
import { type PromptTimes, promptTimes } from '@malipo/kernel/prompts'
import { queueSeconds } from '../limits'
import { times } from './core.harness'
import { type Asked, type Intent, type Moment, never, Tables } from './tables.harness'

export type StartOutcome =
  | 'started'
  | 'replayed'
  | 'in_progress'
  | 'checkout_not_found'
  | 'idempotency_mismatch'
  | 'checkout_paid'
  | 'checkout_expired'
  | 'rate_limited'

export interface Started {
  readonly outcome: StartOutcome
  readonly intentId?: number
}

export interface Due {
  readonly kind: 'submit' | 'query' | 'read' | 'parked'
  readonly id: number
  readonly at: Moment
}

const keysPerCheckout = 16
const hour = 3_600

/** From a payer's wish to a prompt at the provider: what the SQL functions from `start_intent` to `claim_due` do. */
export class Attempts extends Tables {
  /** start_intent */
  start(asked: Asked): Started {
    const checkout = this.checkouts[asked.checkoutId]
    if (checkout === undefined || checkout.isFrozen) return { outcome: 'checkout_not_found' }
    const key = asked.checkoutId * keysPerCheckout + asked.key
    const bound = this.keys.get(key)
    if (bound !== undefined) {
      const isSame = bound.asked.rail === asked.rail && bound.asked.phone === asked.phone
      return isSame
        ? { outcome: 'replayed', intentId: bound.intentId }
        : { outcome: 'idempotency_mismatch' }
    }
    if (this.isPaid(asked.checkoutId)) return { outcome: 'checkout_paid' }
    const flying = this.inFlight(asked.checkoutId)
    if (flying !== undefined) {
      this.bind(key, asked, flying)
      return { outcome: 'in_progress', intentId: flying.id }
    }
    if (this.now >= checkout.expiresAt) return { outcome: 'checkout_expired' }
    if (this.isLimited(asked)) return { outcome: 'rate_limited' }
    const { amountMinor } = checkout
    const reference = `M${String(this.intents.length)}`
    const askedMinor = this.askedOf(checkout, asked.rail)
    const intent = this.add({ ...asked, amountMinor, askedMinor, reference }, 'accepted')
    intent.deadlineAt = this.now + times.intentStart
    intent.nextActionAt = this.now + 1
    this.bind(key, asked, intent)
    this.move(intent, 'reserved')
    return { outcome: 'started', intentId: intent.id }
  }

  protected bind(key: number, asked: Asked, intent: Intent): void {
    this.keys.set(key, { asked, intentId: intent.id })
  }

  private isLimited({ phone, checkoutId }: Asked): boolean {
    const recent = this.intents.filter(
      ({ createdAt, reference }) => createdAt > this.now - hour && reference !== undefined,
    )
    return (
      recent.filter((intent) => intent.phone === phone).length >= this.core.promptsPerPhoneMax ||
      recent.filter((intent) => intent.checkoutId === checkoutId).length >=
        this.core.promptsPerCheckoutMax
    )
  }

  /** decideBeginSubmit: answers whether the caller is the one that may send. */
  beginSubmit(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent === undefined || !this.isToSend(intent)) return false
    if (this.isPhoneBusy(intent)) {
      this.queue(intent)
      return false
    }
    if (this.isPaid(intent.checkoutId)) {
      this.end(intent, 'withheld')
      return false
    }
    if (intent.deadlineAt <= this.now) return false
    intent.submittedAt = this.now
    const { deadlineSeconds, queryAfterSeconds } = this.promptTimesOf(intent)
    intent.deadlineAt = this.now + deadlineSeconds
    intent.nextActionAt = this.now + queryAfterSeconds
    intent.queryAt = intent.nextActionAt
    this.move(intent, 'submitted')
    return true
  }

  protected promptTimesOf({ rail }: Intent): PromptTimes {
    return promptTimes[rail === 'card' || rail === 'paybill' ? 'mpesa' : rail]
  }

  protected isPhoneBusy({ id, phone }: Intent): boolean {
    return this.intents.some(
      (other) => other.id !== id && other.phone === phone && this.isPromptOpen(other),
    )
  }

  /** Whether a prompt is, or is about to be, on its phone. */
  isPromptOpen({ rail, submittedAt, endedAt, reference }: Intent): boolean {
    if (rail === 'card' || rail === 'paybill' || reference === undefined) return false
    return (
      endedAt === never &&
      submittedAt + promptTimes[rail].promptSeconds > this.now &&
      submittedAt !== never
    )
  }

  private queue(intent: Intent): void {
    const giveUpAt = intent.createdAt + queueSeconds
    if (this.now >= giveUpAt) {
      if (intent.status === 'reserved') this.end(intent, 'withheld')
    } else if (intent.deadlineAt > this.now && intent.status === 'reserved') {
      intent.nextActionAt = this.now + 1
      intent.deadlineAt = Math.max(intent.deadlineAt, giveUpAt + 15)
    }
  }

  protected isToSend(intent: Intent): boolean {
    return intent.status === 'reserved'
  }

  /** decideRecordSubmit */
  recordSubmit(intentId: number, outcome: SubmitOutcome, requestId?: number): void {
    const intent = this.intents[intentId]
    if (intent === undefined || outcome === 'unknown') return
    const event = outcome === 'accepted' ? 'acknowledged' : 'refused'
    const next = this.core.intent[intent.status][event]
    if (next === conflict) return
    if (next === 'failed' && intent.status !== 'failed') {
      this.end(intent, event)
    } else if (event === 'acknowledged') {
      intent.requestId ??= requestId
      this.move(intent, event)
    }
  }

  /** begin_query: answers whether it is due, and its caller the one that may ask. */
  beginQuery(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent === undefined || intent.queryAt > this.now) return false
    const isWatched =
      intent.status !== 'failed' || intent.isReceiptWanted || intent.reportedAt !== never
    intent.askedAt = this.now
    intent.queryAt = isWatched ? this.nextQueryAt(intent) : never
    intent.nextActionAt = intent.queryAt
    return true
  }

  /** next_query_at */
  protected nextQueryAt(intent: Intent): Moment {
    const age = this.now - intent.submittedAt
    if (intent.endedAt === never || (intent.isReceiptWanted && age < 600)) {
      return this.now + times.queryEvery
    }
    const seldom = Math.max(times.queryEvery, Math.min(age / 4, hour))
    return age + seldom < 72 * hour ? this.now + seldom : never
  }

  /** expire_overdue: answers how many. */
  expireOverdue(): number {
    const overdue = this.intents.filter(({ deadlineAt }) => deadlineAt <= this.now)
    for (const intent of overdue) {
      intent.endedAt = this.now
      this.end(intent, 'lapsed', intent.submittedAt === never ? never : this.nextQueryAt(intent))
    }
    return overdue.length
  }

  isDue(): boolean {
    const isDue = ({ nextActionAt }: { nextActionAt: Moment }) => nextActionAt <= this.now
    return this.intents.some(isDue) || this.messages.some(isDue)
  }

  /** claim_due */
  claimDue(limit: number): Due[] {
    const due: Due[] = []
    for (const { id, nextActionAt, claims } of this.messages) {
      if (nextActionAt > this.now) continue
      const kind = claims < this.core.claimsPerMessageMax ? 'read' : 'parked'
      due.push({ kind, id, at: nextActionAt })
    }
    for (const { id, nextActionAt, status } of this.intents) {
      if (nextActionAt > this.now) continue
      due.push({ kind: status === 'reserved' ? 'submit' : 'query', id, at: nextActionAt })
    }
    const claimed = due.sort((one, other) => one.at - other.at).slice(0, limit)
    for (const work of claimed) this.lease(work)
    return claimed
  }

  private lease({ kind, id }: Due): void {
    const { leaseSeconds } = this.core
    const intent = this.intents[id]
    const message = this.messages[id]
    if (kind === 'submit' || kind === 'query') {
      if (intent !== undefined) intent.nextActionAt = this.now + leaseSeconds
    } else if (message !== undefined && kind === 'parked') {
      message.result = 'parked'
      message.nextActionAt = never
    } else if (message !== undefined) {
      message.nextActionAt = this.now + leaseSeconds * 2 ** message.claims
      message.claims += 1
    }
  }
}

export type SubmitOutcome = 'accepted' | 'refused' | 'not_sent' | 'unknown'

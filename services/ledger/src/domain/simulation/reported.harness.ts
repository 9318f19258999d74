import type { Minor } from '@malipo/kernel/money'
import type { Effect, Strength } from '../evidence'
import { times } from './core.harness'
import { Inbox } from './inbox.harness'
import { type Checkout, type Intent, type Message, never, type Said } from './tables.harness'

/** What is known where a message is weighed. */
export interface Weighed {
  readonly message: Message
  readonly intent: Intent
  readonly checkout: Checkout
}

/** Reports of payment that the journal does not bear out, and what callbacks alone are worth. */
export class Reported extends Inbox {
  /** payment_reports, of those that came in order */
  private readonly reports: { readonly intentId: number; readonly said: Said }[] = []

  protected isReported({ isReceiptWanted, reportedAt }: Intent): boolean {
    return isReceiptWanted || reportedAt !== never
  }

  protected isPosted(event: string): boolean {
    return this.posted.has(event)
  }

  /** noteReport */
  protected noteReport({ message: { said }, intent }: Weighed, strength: Strength): void {
    if (this.isPostedFor(intent, said)) return
    if (strength === 'E3' && said.receipt !== undefined)
      this.reports.push({ intentId: intent.id, said })
    if (intent.submittedAt === never || intent.settled !== undefined || intent.reportedAt !== never)
      return
    intent.reportedAt = this.now
    if (intent.endedAt === never)
      intent.deadlineAt = Math.max(intent.deadlineAt, this.now + times.reportHold)
  }

  private isPostedFor({ rail }: Intent, { receipt = '' }: Said): boolean {
    return this.isPosted(`${this.core.providerOf[rail]}:${receipt}`)
  }

  /** callbackReceipt */
  protected callbackReceipt(minor: Minor, isAnsweredPaid: boolean): Effect {
    const size = minor > this.unconfirmedMaxMinor ? 'large' : 'small'
    return this.core.callbackReceipt[size][isAnsweredPaid ? 'paid' : 'none']
  }

  /** What a query's "paid" does, and the receipt that it bears out, if it does that. */
  protected paidAnswer(intent: Intent): { readonly effect: Effect; readonly said?: Said } {
    if (intent.settled !== undefined) return { effect: 'await_receipt' }
    const named = this.reports.filter(
      ({ intentId, said }) => intentId === intent.id && !this.isPostedFor(intent, said),
    )
    const [one, ...others] = new Map(named.map(({ said }) => [said.receipt, said])).values()
    const receipts = one === undefined ? 'none' : others.length === 0 ? 'one' : 'several'
    const effect = this.core.paidAnswer[receipts]
    return one === undefined ? { effect } : { effect, said: one }
  }
}

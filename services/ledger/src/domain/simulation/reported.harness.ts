import type { Minor } from '@malipo/kernel/money'
import type { Effect, Strength } from '../evidence'
import { times } from './core.harness'
import { Inbox } from './inbox.harness'
import {
  type Checkout,
  type Intent,
  type Message,
  type Moment,
  never,
  type Said,
} from './tables.harness'

/** What is known where a message is weighed. */
export interface Weighed {
  readonly message: Message
  readonly intent: Intent
  readonly checkout: Checkout
}

export interface Report {
  readonly intentId: number
  readonly receipt: string
  readonly minor: Minor
  readonly at: Moment
  strength: Strength
  said: Said
}

export interface PayBillReport {
  readonly messageId: number
  readonly receipt: string
  readonly checkoutId: number | undefined
  readonly minor: Minor
  readonly at: Moment
  readonly until: Moment
}

/** Reports of payment that the journal does not bear out, and what callbacks alone are worth. */
export class Reported extends Inbox {
  /** payment_reports: once a receipt, '' where the report names none. */
  readonly reports: Report[] = []
  /** pay_bill_reports */
  readonly payBillReports: PayBillReport[] = []

  protected isReported({ isReceiptWanted, reportedAt }: Intent): boolean {
    return isReceiptWanted || reportedAt !== never
  }

  protected isPosted(event: string): boolean {
    return this.posted.has(event)
  }

  /** noteReport */
  protected noteReport({ message: { said }, intent }: Weighed, strength: Strength): void {
    const { receipt = '' } = said
    if (receipt === '' ? intent.settled !== undefined : this.isPostedFor(intent, said)) return
    this.list({ intentId: intent.id, receipt, strength, said, ...this.reportOf(intent, said) })
    if (intent.submittedAt === never || intent.settled !== undefined || intent.reportedAt !== never)
      return
    intent.reportedAt = this.now
    if (intent.endedAt === never)
      intent.deadlineAt = Math.max(intent.deadlineAt, this.now + times.reportHold)
  }

  /** What waits for the statement keeps its checkout open. */
  protected keepPayBill(effect: Effect, { id, said }: Message, checkoutId?: number): 'kept' {
    const { receipt = '', minor = 0n } = said
    const until = this.now + times.reportHold
    const report = { messageId: id, receipt, checkoutId, minor, at: this.now, until }
    if (effect === 'ask') this.payBillReports.push(report)
    return 'kept'
  }

  private reportOf({ askedMinor }: Intent, { minor = askedMinor }: Said) {
    return { minor, at: this.now }
  }

  /** A report in order makes more of an earlier one of the same receipt. */
  private list(report: Report): void {
    const known = this.reports.find(
      ({ intentId, receipt }) => intentId === report.intentId && receipt === report.receipt,
    )
    if (known === undefined) this.reports.push(report)
    else if (known.strength < report.strength) {
      known.strength = report.strength
      known.said = report.said
    }
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
      ({ intentId, said, strength, receipt }) =>
        intentId === intent.id &&
        strength === 'E3' &&
        receipt !== '' &&
        !this.isPostedFor(intent, said),
    )
    const [one, ...others] = new Map(named.map(({ said }) => [said.receipt, said])).values()
    const receipts = one === undefined ? 'none' : others.length === 0 ? 'one' : 'several'
    const effect = this.core.paidAnswer[receipts]
    return one === undefined ? { effect } : { effect, said: one }
  }
}

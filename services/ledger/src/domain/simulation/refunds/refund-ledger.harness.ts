import { type RefundEvent, refundMachine, type RefundStatus } from '../../refund'
import { type Moment, never } from '../tables.harness'

export type Person = 'amina' | 'brian'
export type RefundEnd = 'paid' | 'failed'

export interface Refund {
  readonly id: number
  readonly askedBy: Person
  status: RefundStatus
  decidedBy: Person | undefined
  submittedAt: Moment
  nextActionAt: Moment
  requestId: number | undefined
  closing: RefundEnd | undefined
  closingAskedBy: Person | undefined
  closedBy: Person | undefined
}

/** What came to the address of a refund. */
export interface Word {
  readonly refundId: number
  readonly kind: 'callback' | 'query_answer'
  readonly fact: 'receipt' | 'declined' | 'stands'
  readonly requestId: number | undefined
  readonly isSourceKnown: boolean
}

export type WordResult = 'settled' | 'failed' | 'kept' | 'contradiction'

const day = 86_400
const askSeconds = 60
const standsSeconds = 1_800

/** Money of one receipt on its way back: what the deciders of `domain/refunds` do. */
export class SimulatedRefunds {
  now: Moment = 0
  readonly refunds: Refund[] = []
  /** How often the money of the receipt left, by the journal. */
  posted = 0
  readonly contradictions: Word[] = []
  /** What the database would refuse: the ledger asked for it all the same. */
  refusal: string | undefined

  protected after(status: RefundStatus, event: RefundEvent): string {
    return refundMachine[status][event] ?? 'conflict'
  }

  isUnderway({ status }: Refund): boolean {
    return status !== 'failed' && status !== 'withdrawn'
  }

  /** askRefund */
  ask(by: Person): void {
    if (this.posted > 0 || this.refunds.some((one) => this.isUnderway(one))) return
    this.refunds.push({
      id: this.refunds.length,
      askedBy: by,
      status: 'asked',
      ...{ decidedBy: undefined, submittedAt: never, nextActionAt: never, requestId: undefined },
      ...{ closing: undefined, closingAskedBy: undefined, closedBy: undefined },
    })
  }

  /** decideRefund */
  decide(refund: Refund, isAgreed: boolean, by: Person): void {
    const next = this.after(refund.status, isAgreed ? 'agreed' : 'withdrawn')
    if (next === 'conflict' || next === refund.status) return
    if (isAgreed && this.isSame(refund.askedBy, by)) return
    refund.decidedBy = by
    refund.nextActionAt = isAgreed ? this.now : never
    this.move(refund, isAgreed ? 'agreed' : 'withdrawn')
  }

  protected isSame(one: Person | undefined, other: Person): boolean {
    return one === other
  }

  private move(refund: Refund, event: RefundEvent): void {
    const next = this.after(refund.status, event)
    if (next === 'conflict' || next === 'no rule') {
      this.refusal ??= `a refund that is ${refund.status} does not move by ${event}`
      return
    }
    refund.status = next as RefundStatus
  }

  /** beginRefund: answers whether the caller is the one that may send. */
  begin(refund: Refund): boolean {
    if (!this.isToSend(refund)) return false
    refund.submittedAt = this.now
    refund.nextActionAt = this.now + askSeconds
    this.move(refund, 'sent')
    return true
  }

  protected isToSend({ status }: Refund): boolean {
    return status === 'approved'
  }

  /** recordRefund */
  record(refund: Refund, outcome: 'accepted' | 'refused', requestId?: number): void {
    refund.requestId ??= requestId
    if (outcome === 'accepted' || refund.status !== 'submitted') return
    this.move(refund, 'declined')
    refund.nextActionAt = never
  }

  /** beginRefundQuery: answers whether it is time to ask. */
  beginQuery(refund: Refund): boolean {
    const isSent = refund.status === 'submitted' || refund.status === 'failed'
    if (!isSent || refund.nextActionAt > this.now) return false
    const seldom = Math.max(askSeconds, Math.min((this.now - refund.submittedAt) / 4, 3_600))
    const isWatched = this.now - refund.submittedAt + seldom < 3 * day
    refund.nextActionAt = isWatched ? this.now + seldom : never
    return true
  }

  /** decideRefundMessage */
  receive(word: Word): WordResult {
    const refund = this.refunds[word.refundId]
    if (refund === undefined || !this.isStrong(refund, word)) return 'kept'
    if (this.isTooSoon(refund, word)) return 'kept'
    const event = word.fact === 'receipt' ? 'confirmed' : 'declined'
    const next = this.after(refund.status, event)
    if (next === refund.status) return 'kept'
    const isLate = next === 'paid' && refund.status === 'failed'
    if (next === 'conflict' || (isLate && !this.withdrawOthers(refund))) {
      this.contradictions.push(word)
      return 'contradiction'
    }
    return this.believe(refund, event)
  }

  /** That the payment still stands says nothing soon after the refund was sent. */
  private isTooSoon({ submittedAt }: Refund, { fact }: Word): boolean {
    return fact === 'stands' && this.now <= submittedAt + standsSeconds
  }

  private believe(refund: Refund, event: 'confirmed' | 'declined'): WordResult {
    refund.nextActionAt = never
    this.move(refund, event)
    if (event === 'declined') return 'failed'
    this.settle()
    return 'settled'
  }

  protected isStrong({ requestId }: Refund, word: Word): boolean {
    const isNamed =
      word.kind === 'query_answer' ||
      word.requestId === requestId ||
      (requestId === undefined && word.fact !== 'declined')
    return word.isSourceKnown && isNamed
  }

  /** yesAfterNoOf */
  protected withdrawOthers(refund: Refund): boolean {
    const others = this.refunds.filter((one) => one !== refund)
    for (const other of others) {
      if (other.status !== 'asked' && other.status !== 'approved') continue
      other.nextActionAt = never
      this.move(other, 'withdrawn')
    }
    return !others.some((one) => this.isUnderway(one))
  }

  protected settle(): void {
    this.posted += 1
  }

  /** askRefundClosing */
  askClosing(refund: Refund, end: RefundEnd, by: Person): void {
    if (refund.status !== 'submitted' || this.isStillAsked(refund)) return
    if (refund.closing !== undefined) return
    refund.closing = end
    refund.closingAskedBy = by
  }

  protected isStillAsked({ nextActionAt }: Refund): boolean {
    return nextActionAt !== never
  }

  /** decideRefundClosing */
  decideClosing(refund: Refund, isAgreed: boolean, by: Person): void {
    if (refund.closing === undefined || refund.closedBy !== undefined) return
    if (!isAgreed) {
      refund.closing = undefined
      refund.closingAskedBy = undefined
      return
    }
    if (this.isSame(refund.closingAskedBy, by) || refund.status !== 'submitted') return
    refund.closedBy = by
    this.move(refund, refund.closing === 'paid' ? 'confirmed' : 'declined')
    if (refund.closing === 'paid') this.settle()
  }
}

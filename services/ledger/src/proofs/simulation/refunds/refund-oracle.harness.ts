import { cardFeeAccount, floatAccount } from '../../../journal/rules/postings'
import type { Refund } from '../../../refunds/rules/state'
import { leaseSeconds } from '../../../intents/rules/decide-claiming'
import { micro, type Moment } from '../tables.harness'
import type { SimulatedRefunds } from './refund-ledger.harness'
import type { Order, RefundBook } from './refund-provider.harness'
import { accountOf } from './refund-tables.harness'

/** Seconds after an order of a refund: a payment that the provider still shows as paid then was not sent back. */
const standsSeconds = 1_800

/** Checks refunds by the provider's book and by separate rules, and not by those of the ledger under test. */
export class RefundOracle {
  private readonly ledger: SimulatedRefunds
  private readonly book: RefundBook
  private readonly sent = new Map<number, Moment>()
  private readonly claimedAt = new Map<number, Moment>()
  private broken: string | undefined

  constructor(ledger: SimulatedRefunds, book: RefundBook) {
    this.ledger = ledger
    this.book = book
  }

  expect(what: string, holds: boolean): void {
    if (!holds) this.broken ??= what
  }

  /** The money that went back, according to the journal. */
  private get backMinor(): bigint {
    const { transfers, setting } = this.ledger
    const float = floatAccount(setting.provider)
    return transfers.reduce((sum, { credit, minor }) => sum + (credit === float ? minor : 0n), 0n)
  }

  /** Checks a refund that a worker has been told to send. */
  sends(refundId: number): void {
    const { now, refunds } = this.ledger
    const refund = refunds[refundId]
    this.expect('a refund is sent once', !this.sent.has(refundId))
    this.expect('what the provider did by itself is not sent', refund?.sentBy === 'us')
    const isOfTwo = refund?.decidedBy != null && refund.decidedBy !== refund.askedBy
    this.expect('two people agreed to what is sent', isOfTwo)
    const isFree = this.book.orders.every((order) => this.isGivenUp(order))
    this.expect('nothing is sent while another may be on its way', isFree)
    this.sent.set(refundId, now)
    this.claimedAt.delete(refundId)
  }

  private isGivenUp({ refundId, sentAt, state }: Order): boolean {
    const isOld = this.ledger.now - sentAt > standsSeconds
    const isClosed = this.ledger.refunds[refundId]?.closedBy != null
    return state === 'refused' || isOld || isClosed || this.book.denied.has(refundId)
  }

  /** Checks a refund that a worker has been told to ask about. */
  asks(refundId: number): void {
    this.expect('only what was sent is asked about', this.sent.has(refundId))
    this.claimedAt.delete(refundId)
  }

  claims(refundId: number): void {
    const { now } = this.ledger
    const earlier = this.claimedAt.get(refundId)
    const isFree = earlier === undefined || now - earlier >= leaseSeconds
    this.expect('no two workers get one refund at the same moment', isFree)
    this.claimedAt.set(refundId, now)
  }

  check(): string | undefined {
    const { refunds, messages } = this.ledger
    const paid = refunds.filter(isPaid)
    const closed = refunds.filter(({ closedBy }) => closedBy !== null)
    const byHand = paid.filter(({ closedBy, sentBy }) => closedBy !== null || sentBy !== 'us')
    const isSeen = this.book.paid.length + byHand.length > 0
    this.expect('what goes back is seen to have gone', paid.length === 0 || isSeen)
    this.expect('money goes back once', paid.length <= 1)
    const underway = refunds.filter(({ status }) => status !== 'failed' && status !== 'withdrawn')
    this.expect('one refund of a receipt is underway', underway.length <= 1)
    const isSent = [...this.sent.keys()].some((id) => refunds[id]?.status === 'withdrawn')
    this.expect('what was sent is not withdrawn', !isSent)
    const areOfTwo = paid.every(({ decidedBy, askedBy }) => decidedBy !== askedBy)
    this.expect('two people agreed to what went back', areOfTwo)
    const isOfTwo = closed.every((one) => one.closedBy !== one.closingAskedBy)
    this.expect('two people close', isOfTwo)
    const isGenuine = messages.every(
      ({ result, incoming }) => result !== 'contradiction' || incoming.isSourceKnown,
    )
    this.expect('what does not go with it was reported', isGenuine)
    this.expect('who knows no address stores nothing', messages.every(isAddressed))
    this.checkMoney(paid.length)
    return this.broken
  }

  private checkMoney(paid: number): void {
    const { setting, intents, events, transfers } = this.ledger
    const { minor, feeMinor, holder } = setting
    const back = this.backMinor
    this.expect('what is paid is posted, whole', back === (paid > 0 ? minor + feeMinor : 0n))
    const fee = transfers.filter(({ debit }) => debit === cardFeeAccount)
    const feeBack = fee.reduce((sum, one) => sum + one.minor, 0n)
    this.expect('the fee is given back by us', feeBack === (back > 0n ? feeMinor : 0n))
    this.expect('no wallet owes', this.ledger.balanceOf(accountOf(setting)) >= 0n)
    const isReversed = intents.every(({ status }) => (status === 'reversed') === back > 0n)
    this.expect('a payment is reversed when its money went back', isReversed)
    const notified = holder === 'wallet' && back > 0n ? 1 : 0
    this.expect('a merchant is notified of money that went back', events.length === notified)
  }

  /** Checks the end, after days without a failure: what the provider did is known, or waits for two people. */
  checkEnd(undecided: ReadonlySet<number>): string | undefined {
    const { refunds, messages, now } = this.ledger
    this.expect('what is agreed to is sent', !refunds.some(({ status }) => status === 'approved'))
    const isOver = refunds.every(
      ({ nextActionAt }) => nextActionAt === null || nextActionAt > now * micro,
    )
    this.expect('everything due is done', isOver)
    const isEnded = refunds.every(({ status }, id) => status !== 'submitted' || undecided.has(id))
    this.expect('what the provider is asked about ends', isEnded)
    const contradicted = new Set(
      messages.flatMap(({ result, incoming }) =>
        result === 'contradiction' ? [incoming.refundId] : [],
      ),
    )
    // While a second refund is on its way, a late "refunded" about the first is left to operators.
    const isShown = this.book.paid.some(({ refundId }) => contradicted.has(refundId))
    const isPosted = this.book.paid.length === 0 || this.backMinor > 0n || isShown
    this.expect('what went back is posted or shown', isPosted)
    const differs = (state: Order['state'], shouldBePaid: boolean) =>
      this.book.orders.some(({ refundId, state: done }) => {
        const refund = refunds[refundId]
        const isOther = refund !== undefined && isPaid(refund) !== shouldBePaid
        return done === state && isOther && !contradicted.has(refundId)
      })
    this.expect('what went back a second time is shown', !differs('paid', true))
    this.expect('what was closed as paid and was not is shown', !differs('refused', false))
    return this.check()
  }
}

function isPaid({ status }: Refund): boolean {
  return status === 'paid'
}

function isAddressed({ incoming }: { readonly incoming: { readonly isAddressKnown: boolean } }) {
  return incoming.isAddressKnown
}

import type { Random } from '../rules.harness'
import type { Moment } from '../tables.harness'
import type { Incoming, RefundSetting } from './refund-tables.harness'

/** An order of a refund that the provider was sent, and what the provider did with it. */
export interface Order {
  readonly refundId: number
  readonly requestId: number
  readonly sentAt: Moment
  state: 'open' | 'paid' | 'refused'
}

/** The provider's own book of what it was asked to send back. */
export class RefundBook {
  readonly orders: Order[] = []
  /** The refunds that the provider refused, rightly or not. */
  readonly denied = new Set<number>()
  private readonly setting: RefundSetting
  private readonly random: Random
  private answers = 0

  constructor(setting: RefundSetting, random: Random) {
    this.setting = setting
    this.random = random
  }

  get paid(): readonly Order[] {
    return this.orders.filter(({ state }) => state === 'paid')
  }

  take(refundId: number, sentAt: Moment): Order {
    const order: Order = { refundId, requestId: this.orders.length, sentAt, state: 'open' }
    this.orders.push(order)
    return order
  }

  /** The provider carries out an open order or refuses it, and calls back or does not. */
  resolve(): readonly Incoming[] {
    const open = this.orders.filter(({ state }) => state === 'open')
    const order = open[this.random(open.length || 1)]
    if (order === undefined) return []
    order.state = this.random(3) > 0 ? 'paid' : 'refused'
    const called: Incoming[] = []
    if (this.random(3) > 0) called.push(this.reportOf(order, 'callback'))
    // Providers have called back "refused" beside "refunded".
    if (this.setting.trait === 'contrary') {
      called.push({ ...this.reportOf(order, 'callback'), report: 'refused', body: 'no' })
      this.denied.add(order.refundId)
    }
    // The card gateway sends no callbacks about refunds.
    return this.setting.provider === 'card' ? [] : called
  }

  /**
   * Answers a query about a refund. When no order came, the payment still stands as paid. When M-Pesa's answer to the
   * order was lost, M-Pesa is asked about the payment, and its answer names no reversal.
   */
  answer(refundId: number, isOrderKnown: boolean): Incoming {
    const order = this.orders.find((one) => one.refundId === refundId)
    if (order !== undefined) {
      const report = this.reportOf(order, 'query_answer')
      const isNamed = isOrderKnown || this.setting.provider === 'card'
      return isNamed ? report : { ...report, requestId: undefined }
    }
    return {
      ...{ refundId, kind: 'query_answer', report: 'stands', requestId: undefined },
      ...{ isSourceKnown: true, isAddressKnown: true, body: this.bodyOf('stands') },
    }
  }

  private reportOf({ refundId, requestId, state }: Order, kind: Incoming['kind']): Incoming {
    const report = state === 'open' ? 'stands' : state === 'paid' ? 'refunded' : 'refused'
    if (report === 'refused') this.denied.add(refundId)
    const body = kind === 'callback' ? report : this.bodyOf(report)
    const isNamed = report === 'refunded' && this.random(2) === 0
    const minor = isNamed ? this.setting.minor + this.setting.feeMinor : undefined
    const known = { isSourceKnown: true, isAddressKnown: true }
    return { refundId, kind, report, requestId, minor, ...known, body }
  }

  /** Each answer of M-Pesa has a new id; an answer about a card stays the same until something happens to its order. */
  private bodyOf(report: Incoming['report']): string {
    this.answers += 1
    return this.setting.provider === 'card' ? report : `answer ${String(this.answers)}`
  }
}

import { cardFeeAccount } from '../../../journal/rules/postings'
import type { EvidenceResult } from '../../../evidence/rules/evidence'
import type { RefundStatus } from '../../../refunds/rules/refund'
import { askRefund, type AskRefundOutcome } from '../../../refunds/rules/decide-asking'
import {
  type AskClosingOutcome,
  askRefundClosing,
  type DecideClosingOutcome,
  decideRefund,
  decideRefundClosing,
  type DecideRefundOutcome,
} from '../../../refunds/rules/decide-by-hand'
import {
  claimRefunds,
  type RefundWork,
  beginRefund,
  beginRefundQuery,
  recordRefund,
  type RefundCall,
} from '../../../refunds/rules/decide-sending'
import { decideRefundMessage } from '../../../refunds/rules/decide-message'
import { type AddressState, storeRefundMessage } from '../../../refunds/rules/decide-storing'
import type {
  ReceiptMoney,
  Refund,
  RefundDecided,
  RefundEnd,
  RefundSender,
  RefundState,
  RefundWrites,
} from '../../../refunds/rules/state'
import { leaseSeconds } from '../../../intents/rules/decide-claiming'
import type { Transfer } from '../../../evidence/rules/state'
import { micro, type Moment } from '../tables.harness'
import {
  accountOf,
  factOf,
  type Incoming,
  type Person,
  receipt,
  RefundTables,
  secondsOf,
} from './refund-tables.harness'

export interface Agreement {
  readonly isAgreed: boolean
  readonly by: Person
}

export interface ClosingAgreement extends Agreement {
  readonly end: RefundEnd
}

const note = 'the payer called'
const callbackSecret = 'secret'
const gone = 'gone'
/** The columns that are still empty when a refund has been asked for. */
const untouched = {
  ...{ decidedBy: null, decidedAt: null, submittedAt: null, providerRequestId: null },
  ...{ providerCode: null, endedAt: null, nextActionAt: null },
  ...{ closing: null, closingAskedBy: null, closedBy: null },
} as const

/**
 * The refunds of one receipt: loads, has the deciders of production decide, and saves. The methods up to
 * `decideClosing` do what the RPCs of these names do, such as AskRefund and DecideRefundClosing.
 */
export class SimulatedRefunds extends RefundTables {
  protected leaseSeconds = leaseSeconds

  pass(seconds: number): void {
    this.now += seconds
  }

  ask(sentBy: RefundSender, by: Person): AskRefundOutcome {
    const { subject } = this
    const state = {
      now: this.now * micro,
      money: this.money(),
      refunds: this.refunds.map(({ status }) => status),
      isSentByWorkers: true,
    }
    const refundId = String(this.refunds.length)
    const { outcome, writes } = askRefund(state, {
      ...{ refundId, subject, sentBy, operator: by, note, callbackSecret },
    })
    if (writes !== undefined) {
      const { subject: _, ...request } = writes.refund
      const { provider } = this.setting
      this.refunds.push({ ...request, ...untouched, provider, receipt })
      this.askedAt.push(this.now)
      this.actions.push({ ...writes.action, at: this.now })
    }
    return outcome
  }

  decide(id: number, { isAgreed, by }: Agreement): DecideRefundOutcome | undefined {
    return this.act(id, (state) => decideRefund(state, { isAgreed, operator: by, note }))
  }

  /** Returns whether the caller may send. */
  begin(id: number): boolean {
    return this.act(id, beginRefund) !== undefined
  }

  record(id: number, call: RefundCall): RefundStatus | undefined {
    return this.act(id, (state) => recordRefund(state, call))
  }

  /** Returns whether it is time to ask. */
  beginQuery(id: number): boolean {
    return this.act(id, beginRefundQuery) !== undefined
  }

  askClosing(id: number, end: RefundEnd, by: Person): AskClosingOutcome | undefined {
    return this.act(id, (state) => askRefundClosing(state, { end, operator: by, note }))
  }

  decideClosing(
    id: number,
    { isAgreed, end, by }: ClosingAgreement,
  ): DecideClosingOutcome | undefined {
    return this.act(id, (state) =>
      decideRefundClosing(state, { isAgreed, end, operator: by, note }),
    )
  }

  /** Does what ClaimDue does, for refunds alone. */
  claim(): readonly RefundWork[] {
    const due = this.refunds.filter(
      ({ nextActionAt }) => nextActionAt !== null && nextActionAt <= this.now * micro,
    )
    const { applied, writes } = claimRefunds(this.now * micro, due, this.leaseSeconds)
    for (const { id, nextActionAt } of writes) this.change(id, { nextActionAt })
    return applied
  }

  /** Does what StoreProviderMessage does. Returns the message's number; undefined where nothing has its address. */
  receive(incoming: Incoming): number | undefined {
    const { refundId, kind, body, isSourceKnown } = incoming
    const { applied, writes } = storeRefundMessage(this.addressOf(incoming), {
      ...{ messageId: String(this.messages.length), refundId: String(refundId), kind },
      ...{ callbackSecret, body: Buffer.from(body), sourceAddress: '', sourceKnown: isSourceKnown },
    })
    if (writes !== undefined && 'repeatedId' in writes) {
      const id = +writes.repeatedId
      const repeated = this.messages[id]
      if (repeated !== undefined) {
        this.messages[id] = { ...repeated, deliveries: repeated.deliveries + 1 }
      }
    } else if (writes !== undefined) {
      this.messages.push({
        ...{ id: +writes.kept.messageId, incoming, kind, receivedAt: this.now, deliveries: 1 },
        nextActionAt: secondsOf(writes.kept.nextActionAt),
        ...{ fact: null, strength: null, result: null, appliedAt: null },
      })
    }
    return applied === undefined ? undefined : +applied
  }

  protected addressOf(incoming: Incoming): AddressState | undefined {
    const { refundId, kind, body, isSourceKnown, isAddressKnown } = incoming
    if (this.refunds[refundId] === undefined) return undefined
    const kept = this.messages.find(
      ({ incoming: one }) =>
        one.refundId === refundId &&
        one.kind === kind &&
        one.isSourceKnown === isSourceKnown &&
        one.body === body,
    )
    return {
      now: this.now * micro,
      provider: this.setting.provider,
      isSecretRight: isAddressKnown,
      keptId: kept === undefined ? null : String(kept.id),
    }
  }

  /** Does what ApplyEvidence does. */
  apply(messageId: number): EvidenceResult | undefined {
    const stored = this.messages[messageId]
    if (stored === undefined) return undefined
    const { id, kind, incoming, result, strength } = stored
    const { isSourceKnown } = incoming
    const receivedAt = stored.receivedAt * micro
    const message = { id: String(id), kind, isSourceKnown, result, strength, receivedAt }
    const applied = this.act(incoming.refundId, (state) =>
      decideRefundMessage({ ...state, message }, factOf(incoming)),
    )
    return applied?.result
  }

  private act<Answer>(
    id: number,
    decide: (state: RefundState) => RefundDecided<Answer>,
  ): Answer | undefined {
    const refund = this.refunds[id]
    if (refund === undefined) return undefined
    const { applied, writes } = decide(this.stateOf(refund))
    if (writes !== undefined) this.save(writes)
    return applied
  }

  /** What `loadRefunds` reads. */
  protected stateOf(refund: Refund): RefundState {
    const money = this.money()
    return {
      ...{ now: this.now * micro, refund, intents: this.intents },
      // For money that went back already, production loads null and refuses to post it. Here it is posted from `gone`,
      // so that the oracle finds it.
      money: { ...money, holder: money.holder ?? gone },
      others: this.refunds.filter((one) => one !== refund),
      message: undefined,
    }
  }

  /** What `money_of`, `fee_of` and `balance_of` add up. */
  protected money(): ReceiptMoney {
    const { subject } = this
    const came = this.transfers.filter(({ eventKey }) => eventKey === `receipt:${subject}`)
    const isGone = this.transfers.some(({ eventKey }) => eventKey === `refunded:${subject}`)
    const ofFee = (one: Transfer) => one.credit === cardFeeAccount
    const holder = isGone ? null : accountOf(this.setting)
    return {
      holder,
      minor: sumOf(came.filter((one) => !ofFee(one))),
      feeMinor: sumOf(came.filter(ofFee)),
      holderMinor: holder === null ? 0n : this.balanceOf(holder),
    }
  }

  balanceOf(account: string): bigint {
    const into = this.transfers.filter(({ credit }) => credit === account)
    return sumOf(into) - sumOf(this.transfers.filter(({ debit }) => debit === account))
  }

  /** Saves a decision, as the SQL statement of production does. */
  protected save(writes: RefundWrites): void {
    for (const entry of writes.transfers) this.post(entry)
    for (const course of writes.intents) this.changeIntent(course)
    this.events.push(...(writes.paymentEvents ?? []))
    const withdrawn = {
      status: 'withdrawn',
      endedAt: this.now * micro,
      nextActionAt: null,
    } as const
    for (const id of writes.withdrawn ?? []) this.change(id, withdrawn)
    for (const { id, ...course } of writes.refunds) this.change(id, course)
    if (writes.action !== undefined) this.actions.push({ ...writes.action, at: this.now })
    if (writes.message !== undefined) this.saveMessage(writes.message, this.now)
  }

  private changeIntent({ id, ...course }: RefundWrites['intents'][number]): void {
    const before = this.intents[+id]
    if (before === undefined) return
    if (before.status !== course.status) {
      this.steps.push({ from: before.status, to: course.status, at: this.now })
    }
    this.intents[+id] = { ...before, ...course }
  }

  private saveMessage(
    { id, fact, strength, result }: NonNullable<RefundWrites['message']>,
    appliedAt: Moment,
  ): void {
    const message = this.messages[+id]
    if (message === undefined) return
    this.messages[+id] = { ...message, fact, strength, result, appliedAt, nextActionAt: null }
  }

  protected post(entry: Transfer): void {
    this.transfers.push(entry)
  }

  /** Changes a refund, but not the columns that nothing may change. */
  protected change(id: string, columns: Partial<Refund>): void {
    const row = this.refunds[+id]
    if (row === undefined) return
    const { provider, minor, sentBy, askedBy } = row
    this.refunds[+id] = { ...row, ...columns, id, provider, receipt, minor, sentBy, askedBy }
  }
}

function sumOf(entries: readonly Transfer[]): bigint {
  return entries.reduce((sum, { minor }) => sum + minor, 0n)
}

import { conflict } from '@malipo/kernel/machine'
import type { Minor } from '@malipo/kernel/money'
import type { Effect, EvidenceResult, FactKind, Strength } from '../evidence'
import type { Disposition } from '../settle'
import { times } from './core.harness'
import { isOfAmount, isOfRequest } from './marks.harness'
import { Reported, type Weighed } from './reported.harness'
import {
  type Checkout,
  type Intent,
  type Message,
  type Moment,
  never,
  type Said,
} from './tables.harness'

interface Performed extends Weighed {
  /** What is settled by, where anything is. */
  readonly said: Said
  /** How long after a question the provider may be asked again. */
  readonly askEvery: number
}

type AskedCheckout = Checkout & Pick<Intent, 'askedMinor'>

/** From what a provider said to what we believe: what `decideEvidence` and `decidePayBill` do. */
export class SimulatedLedger extends Reported {
  /** Applies a message: answers the earlier result for what was applied before. */
  apply(messageId: number): EvidenceResult | undefined {
    const message = this.messages[messageId]
    if (message === undefined) return undefined
    if (message.result !== undefined) return message.result
    this.order += 1
    message.order = this.order
    this.applied.push(message)
    message.result =
      message.intentId === undefined
        ? this.weighPayBill(message)
        : this.weigh(message, message.intentId)
    message.nextActionAt = never
    return message.result
  }

  private weigh(message: Message, intentId: number): EvidenceResult {
    const intent = this.intents[intentId]
    const checkout = this.checkouts[intent?.checkoutId ?? -1]
    if (intent === undefined || checkout === undefined) return 'kept'
    const weighed = { message, intent, checkout }
    const strength = this.strengthOf(weighed)
    const { kind } = message.said
    const fact: FactKind =
      kind === 'declined' && this.isReported(intent) ? 'declined_after_paid' : kind
    const { effect, said } = this.effectOf(this.core.effect[strength][fact], weighed)
    const askEvery = askGapOf(strength, intent)
    const result = this.perform(effect, { ...weighed, said, askEvery })
    if (strength !== 'E1' && isUnpostedPayment(kind, result)) this.noteReport(weighed, strength)
    message.fact = fact
    return result
  }

  /** What a receipt of a callback, and "paid" without one, do beside what else is known. */
  private effectOf(
    effect: Effect,
    { message, intent }: Weighed,
  ): { readonly effect: Effect; readonly said: Said } {
    const { said } = message
    return effect === 'await_receipt'
      ? { said, ...this.paidAnswer(intent) }
      : { said, effect: this.callbackEffect(effect, message, intent.isReceiptWanted) }
  }

  /** What settles by itself may be large, and a callback. */
  private callbackEffect(effect: Effect, { kind, said }: Message, isAnsweredPaid: boolean): Effect {
    if (effect !== 'settle' || kind !== 'callback') return effect
    return this.callbackReceipt(said.minor ?? 0n, isAnsweredPaid)
  }

  private strengthOf({ message, intent }: Weighed): Strength {
    return this.core.strengthOf(message.kind, {
      source: message.isSourceKnown ? 'right' : 'wrong',
      request: isOfRequest(intent, message) ? 'right' : 'wrong',
      amount: isOfAmount(intent, message) ? 'right' : 'wrong',
    })
  }

  private perform(effect: Effect, weighed: Performed): EvidenceResult {
    const { intent } = weighed
    switch (effect) {
      case 'settle':
        return this.settleAttempt(weighed)
      case 'decline':
        return this.decline(intent)
      case 'corroborate':
        return this.isDenied(weighed) ? this.decline(intent) : 'kept'
      case 'weigh_absence':
        return this.weighAbsence(weighed)
      case 'contradict':
        return 'contradiction'
      case 'park':
        return 'parked'
      default:
        this.prepare(effect, weighed)
        return 'kept'
    }
  }

  private weighAbsence(weighed: Performed): EvidenceResult {
    const { intent } = weighed
    const earlier = this.isTold(intent) ? 'declined' : 'none'
    const effect =
      this.core.absence[this.core.asking[intent.rail]][this.isReported(intent) ? 'paid' : earlier]
    if (effect === 'decline') return this.decline(intent)
    this.prepare(effect, weighed)
    return 'kept'
  }

  /** What moves nothing yet. */
  private prepare(effect: Effect, { intent, askEvery }: Performed): void {
    if (effect === 'await_receipt') this.awaitReceipt(intent)
    if (effect === 'ask') this.askSoon(intent, askEvery)
    if (effect === 'wait') intent.deniedCode = undefined
  }

  private settleAttempt({ said, intent, checkout }: Performed): EvidenceResult {
    if (this.core.intent[intent.status].confirmed === conflict) return 'contradiction'
    return this.settle(intent, said, this.dispositionOf(checkout, said, intent.askedMinor))
  }

  protected dispositionOf(checkout: Checkout, said: Said, askedMinor: Minor): Disposition {
    const paid = this.isPaid(checkout.id) ? 'paid' : 'unpaid'
    const isExact = (said.minor ?? askedMinor) === askedMinor
    return this.core.disposition[paid][isExact ? 'exact' : 'differs'][
      checkout.isFrozen ? 'frozen' : 'open'
    ]
  }

  /** settleIntent */
  private settle(intent: Intent, said: Said, disposition: Disposition): EvidenceResult {
    const receipt = said.receipt ?? ''
    const minor = said.minor ?? intent.askedMinor
    const settled = { receipt, minor, disposition }
    if (!this.post(intent, settled)) return 'already_settled'
    if (intent.settled === undefined) {
      intent.settled = settled
      intent.isReceiptWanted = false
      this.end(intent, 'confirmed')
    } else {
      // A second receipt for one attempt: the money is real, so it gets an intent of its own.
      this.add({ ...intent, reference: undefined }, 'matched', settled)
    }
    return 'settled'
  }

  /** Answers false when the receipt was posted before. */
  protected post(
    owner: Pick<Intent, 'checkoutId' | 'rail'> | undefined,
    { receipt, minor, disposition }: NonNullable<Intent['settled']>,
  ): boolean {
    const rail = owner?.rail ?? 'paybill'
    const event = `${this.core.providerOf[rail]}:${receipt}`
    if (this.isPosted(event)) return false
    this.posted.add(event)
    const accountId = this.checkouts[owner?.checkoutId ?? -1]?.accountId ?? ''
    const debit = this.core.debitOf(rail)
    const credit = this.core.creditOf(disposition, accountId)
    this.transfers.push({ receipt, debit, credit, minor, checkoutId: owner?.checkoutId })
    if (disposition !== 'merchant') {
      this.suspense.push({ reason: disposition.replace('suspense_', ''), minor })
    }
    return true
  }

  private decline(intent: Intent): EvidenceResult {
    const next = this.core.intent[intent.status].declined
    if (next === conflict) return 'contradiction'
    if (next === intent.status) {
      intent.nextActionAt = never
      intent.queryAt = never
      return 'kept'
    }
    this.end(intent, 'declined')
    return 'failed'
  }

  /** corroborate */
  private isDenied({ message, intent }: Weighed): boolean {
    const { receivedAt, said } = message
    const oldAt =
      intent.submittedAt + this.core.denyAfterSeconds(this.promptTimesOf(intent).queryAfterSeconds)
    const effect =
      this.core.denial[receivedAt < oldAt ? 'young' : 'old'][
        this.earlierDenial(intent, receivedAt, said.code)
      ]
    if (effect === 'remember') {
      intent.deniedCode = said.code
      intent.deniedAt = receivedAt
    }
    return effect === 'decline'
  }

  private earlierDenial(intent: Intent, receivedAt: Moment, code: number | undefined) {
    if (this.isTold(intent)) return 'told'
    if (intent.deniedCode === undefined) return 'none'
    if (intent.deniedCode !== code) return 'other'
    return receivedAt < intent.deniedAt + times.queryEvery ? 'same_too_soon' : 'same'
  }

  private isTold({ id }: Intent): boolean {
    return this.messages.some(
      ({ intentId, kind, fact }) => intentId === id && kind === 'hint' && fact === 'declined',
    )
  }

  /** askSoon */
  private askSoon(intent: Intent, everySeconds: number): void {
    const at = Math.max(this.now, intent.askedAt + everySeconds)
    if (intent.submittedAt === never || intent.settled !== undefined || at >= intent.queryAt) return
    intent.queryAt = at
    intent.nextActionAt = at
  }

  /** awaitReceipt */
  private awaitReceipt(intent: Intent): void {
    const isKnown = intent.isReceiptWanted || intent.settled !== undefined
    if (intent.submittedAt === never || isKnown) return
    intent.isReceiptWanted = true
    intent.deniedCode = undefined
    intent.queryAt = this.now
    intent.nextActionAt = this.now
  }

  private weighPayBill(message: Message): EvidenceResult {
    const { said } = message
    const attempt = this.intents.find(({ reference }) => reference === said.account)
    const checkout = this.checkouts.find(
      ({ id, payBillNumber }) => id === attempt?.checkoutId || payBillNumber === said.account,
    )
    const strength = this.core.strengthOf(message.kind, {
      source: message.isSourceKnown ? 'right' : 'wrong',
      request: said.isSealed === true ? 'right' : 'wrong',
      amount: 'right',
    })
    const effect = this.callbackEffect(this.core.effect[strength][said.kind], message, false)
    message.fact = said.kind
    if (effect === 'park') return 'parked'
    if (effect !== 'settle') return this.keepPayBill(effect, message, checkout?.id)
    const order = checkout && this.withAsked(checkout, attempt)
    const disposition = order
      ? this.dispositionOf(order, said, order.askedMinor)
      : 'suspense_unmatched'
    const isAsked = attempt !== undefined && this.core.intent[attempt.status].confirmed !== conflict
    return isAsked
      ? this.settle(attempt, said, disposition)
      : this.settlePayBill(order, said, disposition)
  }

  private withAsked(checkout: Checkout, attempt: Intent | undefined): AskedCheckout {
    return { ...checkout, askedMinor: attempt?.askedMinor ?? this.askedOf(checkout, 'paybill') }
  }

  /** settleUnasked */
  private settlePayBill(
    checkout: AskedCheckout | undefined,
    said: Said,
    disposition: Disposition,
  ): EvidenceResult {
    const { receipt = '', minor = 0n } = said
    const settled = { receipt, minor, disposition }
    const owner = checkout && ({ checkoutId: checkout.id, rail: 'paybill' } as const)
    if (!this.post(owner, settled)) return 'already_settled'
    if (checkout !== undefined) {
      const { id: checkoutId, amountMinor, askedMinor } = checkout
      const born = {
        checkoutId,
        rail: 'paybill',
        phone: -1,
        amountMinor,
        askedMinor,
        reference: undefined,
      } as const
      this.add(born, 'matched', settled)
    }
    return 'settled'
  }
}

function isUnpostedPayment(kind: Said['kind'], result: EvidenceResult): boolean {
  const isPayment = kind === 'receipt' || kind === 'paid'
  return isPayment && result !== 'settled' && result !== 'already_settled'
}

/** The first report in order has the provider asked now, however lately it was asked. */
function askGapOf(strength: Strength, { reportedAt }: Intent): number {
  return strength === 'E3' && reportedAt === never ? 0 : times.queryEvery
}

import { conflict } from '@malipo/kernel/machine'
import { type PromptTimes, promptTimes } from '@malipo/kernel/prompts'
import { providerOf, suspenseReasonOf, dispositionOf } from '../../journal/rules/postings'
import {
  absenceOf,
  callbackReceiptOf,
  denialOf,
  effectOf,
  checksOf,
  strengthByWrong,
} from '../../evidence/rules/evidence'
import { intentMachine } from '../../intents/rules/intent'
import { type Core, core } from './core.harness'
import { SimulatedLedger } from './ledger.harness'
import { plant, type PlantedRule } from './rules.harness'
import { type Intent, type Moment, never, type Transfer } from './tables.harness'
import type { Species } from './world.harness'

/** Returns the sound ledger with changed cells in the tables of production. */
function withRule(...rules: readonly PlantedRule[]): Species {
  return { core, Ledger: SimulatedLedger, rules }
}

function withCore(changed: Partial<Core>): Species {
  return { core: { ...core, ...changed }, Ledger: SimulatedLedger }
}

function withLedger(Ledger: Species['Ledger']): Species {
  return { core, Ledger }
}

class SendsAgain extends SimulatedLedger {
  protected override isToSend(intent: Intent): boolean {
    return intent.status === 'reserved' || intent.status === 'submitted'
  }
}

class ForgetsReceipts extends SimulatedLedger {
  protected override isPosted(): boolean {
    return false
  }
}

class RingsOnceMore extends SimulatedLedger {
  protected override phonePrompts(phone: number): readonly Intent[] {
    return super.phonePrompts(phone).slice(1)
  }
}

/** A ledger that rounds an amount to whole shillings by the given function. */
function withWholeMajors(wholeMajorUp: Core['wholeMajorUp']): Species {
  class Rounds extends SimulatedLedger {
    protected override agreed(...[{ attempt, checkout }]: Parameters<SimulatedLedger['agreed']>) {
      const { rail, amountMinor } = attempt
      return this.requestedMinorOf(checkout ?? { amountMinor }, rail)
    }
  }
  return { core: { ...core, wholeMajorUp }, Ledger: Rounds }
}

class LooksAtNoFlight extends SimulatedLedger {
  override inFlight(): undefined {
    return undefined
  }
}

class BindsNoKey extends SimulatedLedger {
  protected override bind(): void {
    // This is as if the key of an attempt were written in a second transaction, which was lost.
  }
}

class SkipsLateQueries extends SimulatedLedger {
  protected override nextQueryAt(intent: Intent): Moment {
    return intent.endedAt === never ? super.nextQueryAt(intent) : never
  }
}

class SendsForWhatIsPaid extends SimulatedLedger {
  override beginSubmit(intentId: number): boolean {
    const isPaid = this.isPaid.bind(this)
    this.isPaid = () => false
    const isTaken = super.beginSubmit(intentId)
    this.isPaid = isPaid
    return isTaken
  }
}

class WaitsForAllRailsAlike extends SimulatedLedger {
  protected override promptTimesOf(): PromptTimes {
    return promptTimes.mpesa
  }
}

class LooksAtNoPhone extends SimulatedLedger {
  protected override promptsBefore() {
    return { others: [], waiting: [] }
  }
}

class JudgesByPrice extends SimulatedLedger {
  protected override loaded(intent: Intent) {
    const { amountMinor: askedMinor } = intent
    return { ...super.loaded(intent), askedMinor }
  }
}

class AsksAnewWhenSet extends SimulatedLedger {
  protected override loaded(intent: Intent) {
    const checkout = this.checkouts[intent.checkoutId]
    const askedMinor = checkout ? this.requestedMinorOf(checkout, intent.rail) : intent.askedMinor
    return { ...super.loaded(intent), askedMinor }
  }
}

class CreditsThePrice extends SimulatedLedger {
  protected override post(transfer: Transfer): void {
    const price = this.checkouts[transfer.checkoutId ?? -1]?.amountMinor ?? transfer.minor
    super.post(transfer.credit.startsWith('wallet:') ? { ...transfer, minor: price } : transfer)
  }
}

class ExpiresEarly extends SimulatedLedger {
  override expireOverdue(): number {
    this.now += 30
    const expired = super.expireOverdue()
    this.now -= 30
    return expired
  }
}

class HoldsNoReport extends SimulatedLedger {
  protected override change(...[row, course]: Parameters<SimulatedLedger['change']>): void {
    const isNew = course.reportedAt !== null && row.reportedAt === never
    const { deadlineAt } = row
    super.change(row, course)
    if (isNew) row.deadlineAt = deadlineAt
  }
}

class FailsWhatIsReported extends SimulatedLedger {
  protected override evidenceState(
    ...[message, intent]: Parameters<SimulatedLedger['evidenceState']>
  ) {
    const unreported = { ...intent, reportedAt: never }
    return super.evidenceState(message, message.reported.kind === 'declined' ? unreported : intent)
  }
}

class AsksOnceAboutFailed extends SimulatedLedger {
  override beginQuery(intentId: number): boolean {
    const isDue = super.beginQuery(intentId)
    const intent = this.intents[intentId]
    if (isDue && intent?.status === 'failed') {
      intent.queryAt = never
      intent.nextActionAt = never
    }
    return isDue
  }
}

class RefusesWhatIsReported extends SimulatedLedger {
  protected override isReported(): boolean {
    return false
  }
}

class NotifiesTwice extends SimulatedLedger {
  override apply(messageId: number): ReturnType<SimulatedLedger['apply']> {
    const before = this.events.length
    const result = super.apply(messageId)
    this.events.push(...this.events.slice(before))
    return result
  }
}

class NotifiesOfNoRefusal extends SimulatedLedger {
  override recordSubmit(...ended: Parameters<SimulatedLedger['recordSubmit']>): void {
    const before = this.events.length
    super.recordSubmit(...ended)
    this.events.length = before
  }
}

/** Planted bugs, each of a kind that a programmer could make. The simulation is as good as it is at finding them. */
export const mutants: Readonly<Record<string, Species>> = {
  'late money of an expired attempt is refused': withRule(
    plant(intentMachine.expired, { confirmed: conflict }),
  ),
  'late money of a failed attempt is refused': withRule(
    plant(intentMachine.failed, { confirmed: conflict }),
  ),
  'a denial changes who has the money': withRule(
    plant(intentMachine.completed, { declined: 'failed' }),
  ),
  'a prompt waits for ever': withRule(plant(intentMachine.pending, { lapsed: 'pending' })),
  'money before the answer is refused': withRule(
    plant(intentMachine.submitted, { confirmed: conflict }),
  ),
  'an expired attempt comes back to life': withRule(
    plant(intentMachine.expired, { acknowledged: 'pending' }),
  ),
  'the merchant is paid twice': withRule(plant(dispositionOf.paid.exact, { open: 'merchant' })),
  'another amount completes a checkout': withRule(
    plant(dispositionOf.unpaid.differs, { open: 'merchant', frozen: 'merchant' }),
  ),
  'a frozen wallet takes money': withRule(
    plant(dispositionOf.unpaid.exact, { frozen: 'merchant' }),
  ),
  'any address is as good as the provider’s': withRule(
    plant(checksOf, { callback: ['request', 'amount'] }),
  ),
  'the amount of a callback is not compared': withRule(
    plant(checksOf, { callback: ['source', 'request'] }),
  ),
  'an answer about another prompt counts': withRule(plant(checksOf, { query_answer: [] })),
  'a callback with a failed check is as good as any': withRule(
    plant(strengthByWrong, { callback: ['E3', 'E3', 'E1', 'E1'] }),
  ),
  'a hint is proof': withCore({
    callbackKind: { ...core.callbackKind, mtn_momo: 'callback', airtel_money: 'callback' },
  }),
  'weak evidence settles': withRule(plant(effectOf.E2, { receipt: 'settle' })),
  'weak evidence declines': withRule(plant(effectOf.E2, { declined: 'decline' })),
  'one status answer denies': withRule(plant(effectOf.E4, { declined: 'decline' })),
  'the first denial of an old prompt ends it': withRule(plant(denialOf.old, { none: 'decline' })),
  'two denials at one moment end it': withRule(plant(denialOf.old, { same_too_soon: 'decline' })),
  'two different denials end it': withRule(plant(denialOf.old, { other: 'decline' })),
  '"not found" denies': withRule(plant(absenceOf.prompt, { none: 'decline' })),
  '"not found" denies what was reported as paid': withRule(
    plant(absenceOf.prompt, { paid: 'decline' }),
  ),
  '"not found" confirms a denial by callback': withRule(
    plant(absenceOf.prompt, { declined: 'decline' }),
  ),
  'a report of payment holds nothing': withLedger(HoldsNoReport),
  'a denial after a report of payment counts': withLedger(FailsWhatIsReported),
  'a refusal after a report of payment counts': withLedger(RefusesWhatIsReported),
  'one query about a failed intent that was reported': withLedger(AsksOnceAboutFailed),
  'a callback alone is credited, whatever its amount': withRule(
    plant(callbackReceiptOf.large, { none: 'settle' }),
  ),
  'a denial after paid counts': withRule(plant(effectOf.E3, { declined_after_paid: 'decline' })),
  'a statement does not settle': withRule(plant(effectOf.E4, { receipt: 'keep' })),
  'suspense is given to the merchant': withRule(
    plant(suspenseReasonOf, { suspense_mismatch: undefined }),
  ),
  'money is looked for at the wrong provider': withRule(
    plant(providerOf, { mtn_momo: 'mpesa', airtel_money: 'mpesa' }),
  ),
  'an open prompt does not keep a checkout open': withCore({
    checkoutStatus: (facts) => core.checkoutStatus({ ...facts, isInFlight: false }),
  }),
  'a sixth prompt rings a phone': withLedger(RingsOnceMore),
  'a lost call is sent again': withLedger(SendsAgain),
  'a receipt is posted as often as it is reported': withLedger(ForgetsReceipts),
  'no check whether an intent is in flight': withLedger(LooksAtNoFlight),
  'a key is forgotten': withLedger(BindsNoKey),
  'no query about an expired intent': withLedger(SkipsLateQueries),
  'a payer is asked for what is paid': withLedger(SendsForWhatIsPaid),
  'two prompts ring one phone': withLedger(LooksAtNoPhone),
  'attempts expire before their time': withLedger(ExpiresEarly),
  'every rail has the deadline of M-Pesa': withLedger(WaitsForAllRailsAlike),
  'a prompt asks for cents where shillings are whole': withWholeMajors((minor) => minor),
  'a price with cents is rounded down': withWholeMajors((minor) => minor - (minor % 100n)),
  'a whole price is asked for with a shilling more': withWholeMajors(
    (minor) => minor - (minor % 100n) + 100n,
  ),
  'money is judged against the price': withLedger(JudgesByPrice),
  'a change of the setting changes what was asked for': withLedger(AsksAnewWhenSet),
  'the merchant gets the price, and the rest is lost': withLedger(CreditsThePrice),
  'a merchant is notified twice of one payment': withLedger(NotifiesTwice),
  'a merchant is not notified of a prompt that is refused': withLedger(NotifiesOfNoRefusal),
}

import { conflict } from '@malipo/kernel/machine'
import { type PromptTimes, promptTimes } from '@malipo/kernel/prompts'
import type { Marks, MessageKind, Strength } from '../evidence'
import { type Core, core } from './core.harness'
import type { Disposition } from '../settle'
import { SimulatedLedger } from './ledger.harness'
import { type Intent, type Moment, never } from './tables.harness'
import type { Species } from './world.harness'

/** The rules with one of them changed. */
function withRule(changed: Partial<Core>): Species {
  return { core: { ...core, ...changed }, Ledger: SimulatedLedger }
}

function withCell<Row extends keyof Core['intent']>(
  row: Row,
  changed: Partial<Core['intent'][Row]>,
): Species {
  return withRule({ intent: { ...core.intent, [row]: { ...core.intent[row], ...changed } } })
}

function withEffect(strength: Strength, changed: Partial<Core['effect'][Strength]>): Species {
  const row = { ...core.effect[strength], ...changed }
  return withRule({ effect: { ...core.effect, [strength]: row } })
}

function withTrust(kind: MessageKind, believed: Partial<Marks>): Species {
  return withRule({
    strengthOf: (given, marks) =>
      core.strengthOf(given, given === kind ? { ...marks, ...believed } : marks),
  })
}

function withOpenWallets(changed: Partial<Core['disposition']['paid']>): Species {
  const { disposition } = core
  return withRule({ disposition: { ...disposition, paid: { ...disposition.paid, ...changed } } })
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

/** A ledger that makes whole shillings of an amount in a way of its own. */
function withWholeMajors(wholeMajorUp: Core['wholeMajorUp']): Species {
  class Rounds extends SimulatedLedger {
    protected override agreed(...[{ attempt, checkout }]: Parameters<SimulatedLedger['agreed']>) {
      return this.askedOf(checkout, attempt.rail)
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
    // As if the key of an attempt were written in a transaction of its own, which was lost.
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
  protected override dispositionOf(
    ...[checkout, said]: Parameters<SimulatedLedger['dispositionOf']>
  ): Disposition {
    return super.dispositionOf(checkout, said, checkout.amountMinor)
  }
}

class AsksAnewWhenSet extends SimulatedLedger {
  protected override dispositionOf(
    ...[checkout, said]: Parameters<SimulatedLedger['dispositionOf']>
  ): Disposition {
    return super.dispositionOf(checkout, said, this.askedOf(checkout, 'mpesa'))
  }
}

class CreditsThePrice extends SimulatedLedger {
  protected override post(...[owner, settled]: Parameters<SimulatedLedger['post']>): boolean {
    const price = this.checkouts[owner?.checkoutId ?? -1]?.amountMinor ?? settled.minor
    const minor = settled.disposition === 'merchant' ? price : settled.minor
    return super.post(owner, { ...settled, minor })
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
  protected override noteReport(
    ...[weighed, strength]: Parameters<SimulatedLedger['noteReport']>
  ): void {
    const { deadlineAt } = weighed.intent
    super.noteReport(weighed, strength)
    weighed.intent.deadlineAt = deadlineAt
  }
}

class FailsWhatIsReported extends SimulatedLedger {
  protected override isReported({ isReceiptWanted }: Intent): boolean {
    return isReceiptWanted
  }
}

class ForgetsReports extends SimulatedLedger {
  override beginQuery(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent?.status === 'failed') intent.reportedAt = never
    return super.beginQuery(intentId)
  }
}

const { absence, callbackReceipt, denial, disposition } = core

/** Planted bugs, each of a kind that a programmer could make. The simulation is as good as it is at finding them. */
export const mutants: Readonly<Record<string, Species>> = {
  'late money of an expired attempt is refused': withCell('expired', { confirmed: conflict }),
  'late money of a failed attempt is refused': withCell('failed', { confirmed: conflict }),
  'a no moves who has the money': withCell('completed', { declined: 'failed' }),
  'a prompt waits for ever': withCell('pending', { lapsed: 'pending' }),
  'money before the answer is refused': withCell('submitted', { confirmed: conflict }),
  'an expired attempt comes back to life': withCell('expired', { acknowledged: 'pending' }),
  'the merchant is paid twice': withOpenWallets({
    exact: { open: 'merchant', frozen: 'suspense_duplicate' },
  }),
  'another amount completes a checkout': withRule({
    disposition: {
      ...disposition,
      unpaid: { ...disposition.unpaid, differs: { open: 'merchant', frozen: 'merchant' } },
    },
  }),
  'a frozen wallet takes money': withRule({
    disposition: {
      ...disposition,
      unpaid: { ...disposition.unpaid, exact: { open: 'merchant', frozen: 'merchant' } },
    },
  }),
  'any address is as good as the provider’s': withTrust('callback', { source: 'right' }),
  'the amount of a callback is not compared': withTrust('callback', { amount: 'right' }),
  'an answer about another prompt counts': withTrust('query_answer', { request: 'right' }),
  'a hint is proof': withRule({
    callbackKind: { ...core.callbackKind, mtn_momo: 'callback', airtel_money: 'callback' },
  }),
  'weak evidence settles': withEffect('E2', { receipt: 'settle' }),
  'weak evidence declines': withEffect('E2', { declined: 'decline' }),
  'one status answer denies': withEffect('E4', { declined: 'decline' }),
  'the first no of an old prompt denies': withRule({
    denial: { ...denial, old: { ...denial.old, none: 'decline' } },
  }),
  'two noes at one moment deny': withRule({
    denial: { ...denial, old: { ...denial.old, same_too_soon: 'decline' } },
  }),
  'two different noes deny': withRule({
    denial: { ...denial, old: { ...denial.old, other: 'decline' } },
  }),
  '"not found" denies': withRule({
    absence: { ...absence, prompt: { ...absence.prompt, none: 'decline' } },
  }),
  '"not found" denies what was reported as paid': withRule({
    absence: { ...absence, prompt: { ...absence.prompt, paid: 'decline' } },
  }),
  '"not found" bears out a no that was called': withRule({
    absence: { ...absence, prompt: { ...absence.prompt, declined: 'decline' } },
  }),
  'a report of payment holds nothing': withLedger(HoldsNoReport),
  'a no after a report of payment counts': withLedger(FailsWhatIsReported),
  'no query about a failed intent that was reported': withLedger(ForgetsReports),
  'a callback alone is credited, whatever its amount': withRule({
    callbackReceipt: { ...callbackReceipt, large: { none: 'settle', paid: 'settle' } },
  }),
  'a no after paid counts': withEffect('E3', { declined_after_paid: 'decline' }),
  'a statement does not settle': withEffect('E4', { receipt: 'keep' }),
  'suspense is given to the merchant': withRule({
    creditOf: (to, account) => core.creditOf(to === 'suspense_mismatch' ? 'merchant' : to, account),
  }),
  'money is looked for at the wrong provider': withRule({ debitOf: () => 'float:mpesa' }),
  'an open prompt does not keep a checkout open': withRule({
    checkoutStatus: (facts) => core.checkoutStatus({ ...facts, isInFlight: false }),
  }),
  'a sixth prompt rings a phone': withLedger(RingsOnceMore),
  'a lost call is sent again': withLedger(SendsAgain),
  'a receipt is posted as often as it is told': withLedger(ForgetsReceipts),
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
}

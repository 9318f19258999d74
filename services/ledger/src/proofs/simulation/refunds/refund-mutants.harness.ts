import { intentMachine } from '../../../intents/rules/intent'
import {
  makesWayOf,
  refundEffectOf,
  refundMachine,
  refundWorkOf,
  standingOf,
  yesAfterNoOf,
} from '../../../refunds/rules/refund'
import type { Refund, RefundEnd, RefundState, RefundWrites } from '../../../refunds/rules/state'
import { plant, type PlantedRule } from '../rules.harness'
import { type Agreement, type ClosingAgreement, SimulatedRefunds } from './refund-ledger.harness'
import type { Incoming, Person, RefundSetting } from './refund-tables.harness'
import type { RefundSpecies } from './refund-world.harness'

/** Returns the sound ledger with changed cells in the tables of production. */
function withRule(...rules: readonly PlantedRule[]): RefundSpecies {
  return { Ledger: SimulatedRefunds, rules }
}

function withLedger(Ledger: RefundSpecies['Ledger']): RefundSpecies {
  return { Ledger }
}

const others = { amina: 'brian', brian: 'amina' } as const

class NeedsOnePerson extends SimulatedRefunds {
  override decide(id: number, { isAgreed, by }: Agreement) {
    const outcome = super.decide(id, { isAgreed, by })
    if (outcome !== 'needs_another') return outcome
    const agreed = super.decide(id, { isAgreed, by: others[by] })
    this.change(String(id), { decidedBy: by })
    return agreed
  }
}

class ClosesByOnePerson extends SimulatedRefunds {
  override decideClosing(id: number, agreement: ClosingAgreement) {
    const outcome = super.decideClosing(id, agreement)
    if (outcome !== 'needs_another') return outcome
    const { by } = agreement
    const closed = super.decideClosing(id, { ...agreement, by: others[by] })
    this.change(String(id), { closedBy: by })
    return closed
  }
}

class ClosesEarly extends SimulatedRefunds {
  override askClosing(id: number, end: RefundEnd, by: Person) {
    if (this.refunds[id]?.status === 'submitted') this.change(String(id), { nextActionAt: null })
    return super.askClosing(id, end, by)
  }
}

class PostsNothing extends SimulatedRefunds {
  protected override post(): void {
    // This is as if the posting were written in a second transaction, which was lost.
  }
}

/** Returns a ledger that changes the state that it has read. */
function withState(changed: (state: RefundState) => Partial<RefundState>): RefundSpecies {
  class Reads extends SimulatedRefunds {
    protected override stateOf(refund: Refund): RefundState {
      const state = super.stateOf(refund)
      return { ...state, ...changed(state) }
    }
  }
  return { Ledger: Reads }
}

class ForgetsItsRequest extends SimulatedRefunds {
  override apply(messageId: number) {
    const incoming = this.messages[messageId]?.incoming
    const id = incoming?.refundId ?? -1
    const refund = this.refunds[id]
    if (refund === undefined || incoming?.requestId === undefined) return super.apply(messageId)
    const { providerRequestId } = refund
    this.change(String(id), { providerRequestId: `AG_${String(incoming.requestId)}` })
    const result = super.apply(messageId)
    this.change(String(id), { providerRequestId })
    return result
  }
}

class KnowsEveryAddress extends SimulatedRefunds {
  protected override addressOf(incoming: Incoming) {
    const state = super.addressOf(incoming)
    return state && { ...state, isSecretRight: true }
  }
}

class KeepsEqualAnswersOnce extends SimulatedRefunds {
  override receive(incoming: Incoming) {
    const keptId = this.addressOf(incoming)?.keptId
    return keptId == null ? super.receive(incoming) : +keptId
  }
}

class NotifiesNoMerchant extends SimulatedRefunds {
  protected override save({ paymentEvents: _, ...writes }: RefundWrites): void {
    super.save(writes)
  }
}

class WithdrawsNothing extends SimulatedRefunds {
  protected override save({ withdrawn: _, ...writes }: RefundWrites): void {
    super.save(writes)
  }
}

class LeasesNothing extends SimulatedRefunds {
  constructor(setting: RefundSetting) {
    super(setting)
    this.leaseSeconds = 0
  }
}

/** Planted bugs of refunds and of closing them by hand. */
export const refundMutants: Readonly<Record<string, RefundSpecies>> = {
  'a lost refund is sent again': withRule(plant(refundMachine.submitted, { sent: 'approved' })),
  'one person is enough': withLedger(NeedsOnePerson),
  'a report that fails a check moves a refund': withRule(
    plant(refundEffectOf.E2, { refunded: 'confirm', refused: 'decline' }),
  ),
  'a late yes is posted beside a second refund': withRule(
    plant(yesAfterNoOf, { submitted: 'leave', paid: 'leave' }),
  ),
  'a refund is closed while the provider is asked': withLedger(ClosesEarly),
  'what is paid is not posted': withLedger(PostsNothing),
  'a late yes is refused': withRule(plant(refundMachine.failed, { confirmed: 'failed' })),
  'a no takes back what was paid': withRule(plant(refundMachine.paid, { declined: 'failed' })),
  'a yes is posted as often as it is reported': withRule(
    plant(refundMachine.paid, { confirmed: 'submitted' }),
  ),
  'a withdrawn refund is sent': withRule(plant(refundMachine.withdrawn, { agreed: 'approved' })),
  'one person closes a refund': withLedger(ClosesByOnePerson),
  'a second refund is asked for beside one that was sent': withRule(
    plant(makesWayOf, { submitted: true }),
  ),
  'an agreed refund is never sent': withRule(plant(refundWorkOf, { approved: null })),
  'a refund that was sent is never asked about': withRule(plant(refundWorkOf, { submitted: null })),
  'what the provider never received stays open': withRule(plant(standingOf, { late: 'keep' })),
  'a payment that stands a minute later ends its refund': withRule(
    plant(standingOf, { early: 'decline' }),
  ),
  'what the provider reversed by itself is sent': withRule(
    plant(refundMachine.asked, { confirmed: 'approved' }),
  ),
  'a late yes leaves a second refund that was agreed to': withRule(
    plant(yesAfterNoOf, { approved: 'leave' }),
  ),
  'a late yes withdraws a second refund that was sent': withRule(
    plant(yesAfterNoOf, { submitted: 'withdraw' }),
  ),
  'a payment whose money went back is not reversed': withRule(
    plant(intentMachine.completed, { reversed: null }),
  ),
  'the fee of a card is kept': withState(({ money }) => ({
    money: money && { ...money, feeMinor: 0n },
  })),
  'a wallet gives what it does not have': withState(({ money }) => ({
    money: money && { ...money, holderMinor: money.minor },
  })),
  'the other refunds of a receipt are not read': withState(() => ({ others: [] })),
  'a no to another request ends a refund': withLedger(ForgetsItsRequest),
  'a guessed address is believed': withLedger(KnowsEveryAddress),
  'a merchant is not notified of a reversal': withLedger(NotifiesNoMerchant),
  'what a late yes withdraws is not written': withLedger(WithdrawsNothing),
  'a claim leases nothing': withLedger(LeasesNothing),
  'an order that reads the same later is not read again': withLedger(KeepsEqualAnswersOnce),
}
